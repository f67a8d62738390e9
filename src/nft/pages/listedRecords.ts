import type { Sql } from '../../db/database.ts'
import { type AskedToken, type HeldToken, mostPageBytes, type RecordOptions, type Records } from '../query.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { type AskedOfOne, groupTokens } from './askedTokens.ts'
import type { ListedTokens, PageReader } from './createPageReader.ts'
import { fitting, isWide, listedWidths } from './pageWidth.ts'
import { renderPicked } from './record.ts'

/** Reads records of tokens of any collections of a chain. */
export function createListedRecords({ sql, pages }: { sql: Sql; pages: PageReader }) {
  /** The bytes of metadata in the records of these tokens, by hash; undefined: not too many for one answer, however long each is. */
  async function widthsOf(
    asked: readonly AskedOfOne[],
    options: RecordOptions,
  ): Promise<Map<string, number> | undefined> {
    if (!isWide(asked.map(({ state, hashes }) => ({ state, tokens: hashes.length })))) return undefined
    const widths = await Promise.all(asked.map((one) => listedWidths(sql, one, options)))
    return new Map(widths.flatMap((ofOne) => [...ofOne]))
  }

  return {
    async tokens(asked: readonly AskedToken[], options: RecordOptions): Promise<Records | undefined> {
      const hashed = asked.map((one) => ({ ...one, hash: tokenHash(one.address, String(one.tokenId)) }))
      const once = [...new Map(hashed.map((one) => [one.hash, one])).values()]
      const { collections, inOrder } = groupTokens(once)
      const widths = await widthsOf(collections, options)
      if (widths && widths.size > 1 && sum(widths.values()) > mostPageBytes) return undefined
      const read = await pages.listed(collections, options)
      const picked = inOrder.flatMap(({ collection, asked: { hash } }) => lineOf(read, collection, hash))
      return pages.recordsOf(renderPicked(picked), read.page)
    },

    async held(
      asked: readonly HeldToken[],
      options: RecordOptions,
    ): Promise<{ records: Records; count: number; used: number }> {
      const whole = groupTokens(asked)
      const widths = await widthsOf(whole.collections, options)
      const used = widths
        ? fitting(
            asked.map(({ hash }) => hash),
            widths,
          )
        : asked.length
      const { collections, inOrder } = used === asked.length ? whole : groupTokens(asked.slice(0, used))
      const read = await pages.listed(collections, options)
      const picked = inOrder.flatMap(({ collection, asked: holding }) =>
        lineOf(read, collection, holding.hash).map((one) => ({ ...one, holding })),
      )
      return { records: pages.recordsOf(renderPicked(picked), read.page), count: picked.length, used }
    },
  }
}

/** Where a token stands; nothing where it is not listed. */
function lineOf({ writers, lines }: ListedTokens, collection: number, hash: string) {
  const line = lines.get(hash)
  return line === undefined ? [] : [{ writer: writers[collection]!, line }]
}

function sum(numbers: Iterable<number>): number {
  let all = 0
  for (const number of numbers) all += number
  return all
}
