import type { Sql } from '../../db/database.ts'
import { createByteList } from '../../util/byteList.ts'
import type { NftQuery } from '../query.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { readHolders } from './readHolders.ts'

/** Pages of owners: who holds tokens is read first, then the records of these tokens, each once however many hold it. */
export function createOwnerPages({
  sql,
  held,
}: {
  sql: Sql
  held: NftQuery['held']
}): Pick<NftQuery, 'owners' | 'countOwners'> {
  return {
    async owners({ state, address, tokenId, after, limit, ...options }) {
      const token = tokenId === null ? null : tokenHash(address, String(tokenId))
      const found = await readHolders(sql, { state, token, after, limit: limit + 1 })
      if (found.length === 0) return { records: createByteList(), count: 0, last: null }
      const shown = found.slice(0, limit).map((holder) => ({ state, address, ...holder }))
      const { records, used } = await held(shown, options)
      const { hash, holder } = shown[used - 1]!
      return { records, count: used, last: used < found.length ? { hash, holder } : null }
    },

    async countOwners({ state, address, tokenId }) {
      const key = [state.partition, state.id]
      if (tokenId === null && state.standard !== 'ERC1155') return Number(state.tokens)
      const [row] =
        tokenId === null
          ? await sql.rows<[bigint]>(countAll, key)
          : await sql.rows<[bigint]>(countOfToken, [...key, tokenHash(address, String(tokenId))])
      return Number(row?.[0] ?? 0n)
    },
  }
}

const countAll =
  'SELECT coalesce(sum(t.holders), 0)::int8 FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0'

const countOfToken =
  'SELECT t.holders::int8 FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND t.token_hash = $3'
