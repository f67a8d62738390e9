import type { Sql } from '../../db/database.ts'
import type { Address } from '../../util/hex.ts'
import {
  type HeldMetadata,
  type HeldTokens,
  type ListedOptions,
  type ListedRecords,
  mostPageBytes,
  type RequestedToken,
} from '../query.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import type { ListedTokens, PageReader } from './createPageReader.ts'
import type { PageRow } from './pageRow.ts'
import { fitting, isLarge, listedWidths } from './pageWidth.ts'
import type { Picked } from './record.ts'
import { groupTokens, type RequestedOfOne } from './requestedTokens.ts'
import { rejectMovedOf } from './rows/syncPosition.ts'

/** Reads records of tokens of any collections. */
export function createListedRecords({ sql, pages }: { sql: Sql; pages: PageReader }) {
  /**
   * Sizes of metadata in the records of these tokens, by hash; the largest if tokens of several chains have it. undefined: few enough for one answer at
   * any size.
   */
  async function widthsOf(
    requested: readonly RequestedOfOne[],
    options: ListedOptions,
    { unlisted }: { unlisted: boolean },
  ): Promise<Map<string, number> | undefined> {
    if (!isLarge(requested.map(({ state, hashes }) => ({ state, tokens: hashes.length })))) return undefined
    const widths = await Promise.all(
      requested.map(({ state, hashes }) => listedWidths(sql, { state, hashes, unlisted }, options)),
    )
    const widest = new Map<string, number>()
    for (const [hash, width] of widths.flatMap((ofOne) => [...ofOne]))
      widest.set(hash, Math.max(width, widest.get(hash) ?? 0))
    return widest
  }

  /** Tokens in collections with different addresses: texts are found by token hash. */
  async function readGroup(
    group: readonly HeldTokens[],
    metadata: HeldMetadata | null,
    options: ListedOptions,
  ): Promise<{ recordsOf: Map<HeldTokens, Picked[]>; page: PageRow }> {
    const bytes = Buffer.concat(group.map((one) => one.bytes))
    const { page, writers } = await pages.loaded(group, { bytes, metadata }, options)
    let line = 0
    const recordsOf = new Map(
      group.map((one, i) => [
        one,
        one.hashes.map((_, n): Picked => ({ writer: writers[i]!, line: line++, members: one.members?.[n] })),
      ]),
    )
    return { recordsOf, page }
  }

  return {
    async tokens(requested: readonly RequestedToken[], options: ListedOptions): Promise<ListedRecords | undefined> {
      const hashed = requested.map((one) => ({ ...one, hash: tokenHash(one.address, String(one.tokenId)) }))
      const once = [...new Map(hashed.map((one) => [one.hash, one])).values()]
      const { collections, inOrder } = groupTokens(once)
      const widths = await widthsOf(collections, options, { unlisted: false })
      if (widths && widths.size > 1 && sum(widths.values()) > mostPageBytes) return undefined
      const read = await pages.listed(collections, options)
      try {
        await rejectMovedOf(
          sql,
          requested.map(({ state }) => state),
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
      requested: readonly HeldTokens[],
      options: ListedOptions,
      metadata: HeldMetadata | null = null,
    ): Promise<{ records: ListedRecords; used: number }> {
      const widths = await widthsOf(requested, options, { unlisted: true })
      const given = requested.flatMap(({ hashes }) => hashes)
      const used = widths ? fitting(given, widths) : given.length
      const shown = firstOf(requested, used)
      const groups = await Promise.all(apart(shown).map((group) => readGroup(group, widths ? null : metadata, options)))
      const picked = shown.flatMap((one) => groups.flatMap(({ recordsOf }) => recordsOf.get(one) ?? []))
      return {
        records: pages.picked(
          picked,
          groups.map(({ page }) => page),
        ),
        used,
      }
    },
  }
}

/** Splits tokens into groups without two collections of one address: on several chains these have the same token hashes. */
function apart(requested: readonly HeldTokens[]): HeldTokens[][] {
  type Group = { idOf: Map<Address, bigint>; members: HeldTokens[] }
  const groups: Group[] = []
  for (const one of requested) {
    const { address, state } = one
    const fits = ({ idOf }: Group) => (idOf.get(address) ?? state.id) === state.id
    const group: Group = groups.find(fits) ?? { idOf: new Map(), members: [] }
    if (group.members.length === 0) groups.push(group)
    group.idOf.set(address, state.id)
    group.members.push(one)
  }
  return groups.map(({ members }) => members)
}

/** The first `most` tokens. */
function firstOf(requested: readonly HeldTokens[], most: number): HeldTokens[] {
  let remaining = most
  return requested.flatMap((one) => {
    const hashes = one.hashes.slice(0, remaining)
    remaining -= hashes.length
    return hashes.length > 0 ? { ...one, hashes } : []
  })
}

/** Line of a token; empty if it is not listed. */
function lineOf({ writers, lines }: ListedTokens, collection: number, hash: string) {
  const line = lines.get(hash)
  return line === undefined ? [] : [{ writer: writers[collection]!, line }]
}

function sum(numbers: Iterable<number>): number {
  let all = 0
  for (const number of numbers) all += number
  return all
}
