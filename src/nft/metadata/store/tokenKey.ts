import { defineLists, list } from '../../../db/defineLists.ts'

/** Key of a token in the tables of tokens. `id`: of its collection; `hash`: see tokenHash.ts. */
export type TokenKey = { partition: number; id: bigint; hash: string }

/** Key columns of tokens. */
export const tokenColumns = {
  partition: list.int2((token: TokenKey) => token.partition),
  collection_id: list.int8((token: TokenKey) => token.id),
  token_hash: list.uuid((token: TokenKey) => token.hash),
}

/** Lists of token keys for a statement. */
export const tokenLists = defineLists<TokenKey>(tokenColumns)
