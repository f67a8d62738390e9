import { defineLists, list } from '../../../db/defineLists.ts'

/** What the tables of tokens know a token by. `id`: of its collection; `hash`: see tokenHash.ts. */
export type TokenKey = { partition: number; id: bigint; hash: string }

/** The columns of tokens by their keys. */
export const tokenColumns = {
  partition: list.int2((token: TokenKey) => token.partition),
  collection_id: list.int8((token: TokenKey) => token.id),
  token_hash: list.uuid((token: TokenKey) => token.hash),
}

/** Tokens by their keys, for a statement. */
export const tokenLists = defineLists<TokenKey>(tokenColumns)
