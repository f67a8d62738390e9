import type { Sql } from '../../db/database.ts'
import {
  type AskedToken,
  type HeldDocuments,
  type HeldTokens,
  type ListedOptions,
  type ListedRecords,
  mostPageBytes,
} from '../query.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { type AskedOfOne, groupTokens } from './askedTokens.ts'
import type { ListedTokens, PageReader } from './createPageReader.ts'
import { fitting, isWide, listedWidths } from './pageWidth.ts'
import type { Picked } from './record.ts'
import { refuseMovedOf } from './rows/standing.ts'

/** Reads records of tokens of any collections of a chain. */
export function createListedRecords({ sql, pages }: { sql: Sql; pages: PageReader }) {
  /** The bytes of metadata in the records of these tokens, by hash; undefined: not too many for one answer, however long each is. */
  async function widthsOf(
    asked: readonly AskedOfOne[],
    options: ListedOptions,
  ): Promise<Map<string, number> | undefined> {
    if (!isWide(asked.map(({ state, hashes }) => ({ state, tokens: hashes.length })))) return undefined
    const widths = await Promise.all(asked.map((one) => listedWidths(sql, one, options)))
    return new Map(widths.flatMap((ofOne) => [...ofOne]))
  }

  return {
    async tokens(asked: readonly AskedToken[], options: ListedOptions): Promise<ListedRecords | undefined> {
      const hashed = asked.map((one) => ({ ...one, hash: tokenHash(one.address, String(one.tokenId)) }))
      const once = [...new Map(hashed.map((one) => [one.hash, one])).values()]
      const { collections, inOrder } = groupTokens(once)
      const widths = await widthsOf(collections, options)
      if (widths && widths.size > 1 && sum(widths.values()) > mostPageBytes) return undefined
      const read = await pages.listed(collections, options)
      try {
        await refuseMovedOf(
          sql,
          asked.map(({ state }) => state),
          read.page.version ?? null,
        )
      } catch (error) {
        pages.giveBack(read.page)
        throw error
      }
      const picked = inOrder.flatMap(({ collection, hash }) => lineOf(read, collection, hash))
      return pages.picked(picked, [read.page])
    },

    async held(
      asked: readonly HeldTokens[],
      options: ListedOptions,
      documents: HeldDocuments | null = null,
    ): Promise<{ records: ListedRecords; count: number; used: number }> {
      const widths = await widthsOf(asked, options)
      const given = asked.flatMap(({ hashes }) => hashes)
      const used = widths ? fitting(given, widths) : given.length
      const shown = firstOf(asked, used)
      const reported = shown.filter(({ bytes }) => bytes !== null)
      const others = shown.filter(({ bytes }) => bytes === null)
      const bytes = Buffer.concat(reported.map((one) => one.bytes!))
      const [read, listed] = await Promise.all([
        reported.length > 0
          ? pages.reported(reported, { bytes, documents: widths ? null : documents }, options)
          : undefined,
        others.length > 0 ? pages.listed(others, options) : undefined,
      ])
      let line = 0
      const picked: Picked[] = shown.flatMap((one): Picked[] => {
        if (one.bytes) {
          const writer = read!.writers[reported.indexOf(one)]!
          return one.hashes.map((_, i) => ({ writer, line: line++, members: one.members?.[i] }))
        }
        return one.hashes.flatMap((hash, i) =>
          lineOf(listed!, others.indexOf(one), hash).map((found) => ({
            ...found,
            members: undefined,
            holding: { holder: one.holder, amount: one.amounts[i]! },
          })),
        )
      })
      const parts = [read, listed].flatMap((part) => part?.page ?? [])
      return { records: pages.picked(picked, parts), count: picked.length, used }
    },
  }
}

/** The first tokens, as many as `most`. */
function firstOf(asked: readonly HeldTokens[], most: number): HeldTokens[] {
  let rest = most
  return asked.flatMap((one) => {
    const hashes = one.hashes.slice(0, rest)
    rest -= hashes.length
    return hashes.length > 0 ? { ...one, hashes } : []
  })
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
