import type { Sql } from '../../db/database.ts'
import { createByteList } from '../../util/byteList.ts'
import type { NftQuery } from '../query.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { readHolders } from './readHolders.ts'

const everything = { from: null, to: null }

/**
 * Pages of owners. Those of an ERC-721 are pages of its list, as each token has one owner. Otherwise who holds tokens is read first, then the
 * records of these tokens, each once however many hold it. `counting`: connections on which a statement may take long.
 */
export function createOwnerPages(options: {
  sql: Sql
  counting: Sql
  page: NftQuery['page']
  held: NftQuery['held']
}): Pick<NftQuery, 'owners' | 'countOwners'> {
  const { sql, counting, page, held } = options
  return {
    async owners({ state, address, tokenId, after, limit, ...written }) {
      if (tokenId === null && state.standard !== 'ERC1155') {
        const from = { range: everything, traits: null, after: after?.hash ?? null }
        const { records, count, last } = await page({ state, address, limit, ...from, ...written })
        return { records, count, last: last === null ? null : { hash: last, holder: null } }
      }
      const token = tokenId === null ? null : tokenHash(address, String(tokenId))
      const found = await readHolders(sql, { state, token, after, limit: limit + 1 })
      if (found.length === 0) return { records: createByteList(), count: 0, last: null }
      const shown = found.slice(0, limit).map((holder) => ({ state, address, ...holder }))
      const { records, used } = await held(shown, written)
      const { hash, holder } = shown[used - 1]!
      return { records, count: used, last: used < found.length ? { hash, holder } : null }
    },

    async countOwners({ state, address, tokenId }) {
      const key = [state.partition, state.id]
      if (tokenId === null && state.standard !== 'ERC1155') return Number(state.tokens)
      const [row] =
        tokenId === null
          ? await counting.rows<[bigint]>(countAll, key)
          : await sql.rows<[bigint]>(countOfToken, [...key, tokenHash(address, String(tokenId))])
      return Number(row?.[0] ?? 0n)
    },
  }
}

const countAll =
  'SELECT coalesce(sum(t.holders), 0)::int8 FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0'

const countOfToken =
  'SELECT t.holders::int8 FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.amount > 0 AND t.token_hash = $3'
