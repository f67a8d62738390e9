import type { Sql } from '../../db/database.ts'
import type { CollectionState, NftQuery, RecordOptions } from '../query.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import type { PageReader } from './createPageReader.ts'
import { fitting, isLarge, listedWidths } from './pageWidth.ts'
import { type HoldersRequest, holderBounds, holdersWanted, readHolders } from './rows/readHolders.ts'

const everything = { from: null, to: null }

/** Whether there may be ERC-1155 tokens, which may have several holders. */
const mayHaveErc1155 = ({ standard, mixed }: CollectionState) => mixed || standard === 'ERC1155'

/**
 * Pages of owners. For a pure ERC-721 collection they are pages of its list, as each token has one owner. Otherwise a token appears once per holder.
 * `counting`: connections for slow statements.
 */
export function createOwnerPages(options: {
  sql: Sql
  counting: Sql
  pages: PageReader
  page: NftQuery['page']
}): Pick<NftQuery, 'owners' | 'countOwners'> {
  const { sql, counting, pages, page } = options

  /** Number of the next holders whose records fit on a page. */
  async function fittingLimit(requested: HoldersRequest, written: RecordOptions): Promise<number> {
    const { state, limit } = requested
    if (!isLarge([{ state, tokens: limit }])) return limit
    const { holders } = await readHolders(sql, requested)
    const hashes = holders.map(({ hash }) => hash)
    return Math.max(1, fitting(hashes, await listedWidths(sql, { state, hashes: [...new Set(hashes)] }, written)))
  }

  return {
    async owners({ state, address, tokenId, after, limit: most, ...written }) {
      if (tokenId === null && !mayHaveErc1155(state)) {
        const from = { range: everything, traits: null, after: after?.hash ?? null }
        const { records, count, last } = await page({ state, address, limit: most, ...from, ...written })
        return { records, count, last: last === null ? null : { hash: last, holder: null } }
      }
      const requested = { state, token: tokenId === null ? null : tokenHash(address, String(tokenId)), after }
      const limit = await fittingLimit({ ...requested, limit: most }, written)
      const bounds = holderBounds({ ...requested, limit: limit + 1 })
      const read = await pages.page(state, holdersWanted(requested), bounds, written)
      const found = read.lines.starts.length
      const count = Math.min(found, limit)
      const records = await pages.records(state, address, read, { count, hex: written.hex })
      return {
        records,
        count,
        last: found > limit ? { hash: read.hashOf(count - 1), holder: read.ownerOf(count - 1) } : null,
      }
    },

    async countOwners({ state, address, tokenId }) {
      const key = [state.partition, state.id]
      if (tokenId === null && !mayHaveErc1155(state)) return Number(state.tokens)
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
