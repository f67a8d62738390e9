/** SQL that holds where rows of two tables, told by their aliases, are of one token. */
export const sameToken = (a: string, b: string) =>
  `${a}.partition = ${b}.partition AND ${a}.collection_id = ${b}.collection_id AND ${a}.token_hash = ${b}.token_hash`
