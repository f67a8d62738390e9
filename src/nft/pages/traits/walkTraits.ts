import type { Sql } from '../../../db/database.ts'
import type { ShownCollection } from '../../query.ts'
import type { TraitFilter } from '../../traits.ts'
import {
  countDownTo,
  cut,
  type HashList,
  hashAt,
  hashTexts,
  intersect,
  noHashes,
  readHashes,
  unite,
} from './hashList.ts'
import { countsOf } from './traitCounts.ts'

/**
 * Cost limit of a walk: rows of `token_trait`, 0.25 µs each. A page of a filter with few matches then has fewer records than its limit, and a cursor.
 */
const mostSpent = 12_000

/** Minimum number of tokens per step, whatever was spent before. */
const leastStep = 32

/** Cost of a lookup of one token under one trait, in rows read in order. */
const lookupCost = 8

/** A group of a filter: tokens with one of these traits, in `tokens` rows. */
type Group = { traits: readonly CountedTrait[]; tokens: number }
type CountedTrait = { key: string; tokens: number }

export type TraitWalk = {
  /** `traits_version` of the collection at the start of the walk. */
  version: bigint
  /** 32 hex digits each, descending, at most as many as requested. */
  hashes: string[]
  /** The hash down to which all tokens were checked; null: to the end. Undefined meaning if the limit was reached. */
  to: string | null
}

/** Bounds of hashes, both inclusive. */
export type HashBounds = { from: string; to: string }

const selectCounts = `
SELECT c.traits_version, encode(uuid_send(n.trait), 'hex'), n.tokens
FROM collection c LEFT JOIN (${countsOf('$3::uuid[]')}) n ON true
WHERE c.partition = $1 AND c.id = $2`

const all = (hashes: string) => `encode(string_agg(uuid_send(${hashes}), ''), 'hex')`

/** For each trait in $3, up to $4 of its tokens from hash $5 to $6, greatest first, as one text. */
const selectLists = `
SELECT (
  SELECT ${all('token_hash')} FROM (
    SELECT x.token_hash FROM token_trait x
    WHERE x.partition = $1 AND x.collection_id = $2 AND x.trait = f.trait AND x.token_hash >= $5 AND x.token_hash <= $6
    ORDER BY x.token_hash DESC LIMIT f.most
  ) t
) FROM unnest($3::uuid[], $4::int4[]) WITH ORDINALITY AS f (trait, most, place) ORDER BY f.place`

/** Tokens in $4 with one of the traits in $3, in order. */
const selectHaving = `
SELECT ${all('t.token_hash')} FROM unnest($4::uuid[]) AS t (token_hash)
WHERE EXISTS (SELECT 1 FROM unnest($3::uuid[]) AS f (trait) CROSS JOIN LATERAL (
  SELECT 1 FROM token_trait x
  WHERE x.partition = $1 AND x.collection_id = $2 AND x.trait = f.trait AND x.token_hash = t.token_hash LIMIT 1
) x)`

/**
 * Tokens with a trait of each group of `filter`, by hash descending. The walk follows the group with the fewest tokens, step by step. The same
 * statement reads groups of similar size, which are merged as sorted lists; other groups are checked for each remaining token.
 */
export async function walkTraits(
  sql: Sql,
  options: { state: ShownCollection; filter: TraitFilter; bounds: HashBounds; limit: number; most?: number },
): Promise<TraitWalk> {
  const { state, filter, bounds, limit, most = mostSpent } = options
  const key = [state.partition, state.id]
  const { version, groups } = await readGroups()
  const [first, ...others] = groups
  const found: string[] = []
  if (!first || first.tokens === 0) return { version, hashes: found, to: null }
  const ratioOf = (group: Group) => group.tokens / first.tokens
  const isNear = (group: Group) => ratioOf(group) <= lookupCost * group.traits.length
  const beside = [first, ...others.filter(isNear)]
  const requested = others.filter((group) => !isNear(group))
  const cost = others.reduce((sum, group) => sum + Math.min(ratioOf(group), lookupCost * group.traits.length), 1)
  let spent = 0
  let tried = 0
  for (let to = bounds.to; ; ) {
    // As many as should yield the missing ones at the rate so far; at first, as if every second token had each group.
    const rate = tried === 0 ? 0.5 ** others.length : Math.max(found.length, 0.5) / tried
    const wanted = Math.ceil(((limit - found.length) / rate) * 1.1)
    const step = await readStep(to, Math.max(leastStep, Math.min(wanted, Math.floor((most - spent) / cost))))
    tried += step.tried
    let remaining = step.hashes
    for (const group of requested) {
      if (remaining.length === 0) break
      remaining = await lookUp(group, remaining)
    }
    for (const hash of hashTexts(remaining)) found.push(hash)
    if (found.length >= limit) return { version, hashes: found.slice(0, limit), to: null }
    if (step.to === null || step.to === bounds.from) return { version, hashes: found, to: null }
    if (spent >= most - leastStep * cost) return { version, hashes: found, to: step.to }
    to = hashBefore(step.to)
  }

  /** The groups of the filter, smallest first. */
  async function readGroups(): Promise<{ version: bigint; groups: Group[] }> {
    const rows = await sql.rows<[bigint, string | null, bigint]>(selectCounts, [...key, filter.flat()])
    const counts = new Map(rows.map(([, trait, tokens]) => [trait, Number(tokens)]))
    const groups = filter.map((keys) => {
      const traits = keys.map((trait) => ({ key: trait, tokens: counts.get(trait) ?? 0 }))
      // Includes traits without tokens: a token may gain one, and lose another of the group, before it is checked.
      return { traits, tokens: traits.reduce((sum, { tokens }) => sum + tokens, 0) }
    })
    return { version: rows[0]?.[0] ?? 0n, groups: groups.sort((a, b) => a.tokens - b.tokens) }
  }

  /** Tokens that all groups of similar size have, from about `size` tokens of the first one, and the hash down to which they are complete. */
  async function readStep(to: string, size: number): Promise<{ hashes: HashList; tried: number; to: string | null }> {
    const lists = await readLists(to, size)
    /** The greatest hash at which a list was truncated: below it the list has unread tokens. */
    let end: { list: HashList; last: number } | undefined
    for (const { hashes, isCut } of lists.flat()) {
      if (!isCut) continue
      const last = hashes.length - 1
      if (!end || countDownTo(hashes, end.list, end.last) === hashes.length) end = { list: hashes, last }
    }
    const [own, ...beside] = lists.map((ofGroup) => {
      const all = ofGroup.map(({ hashes }) => hashes).reduce(unite, noHashes)
      return end ? cut(all, countDownTo(all, end.list, end.last)) : all
    })
    const hashes = beside.reduce(intersect, own!)
    return { hashes, tried: own!.length, to: end ? hashAt(end.list, end.last) : null }
  }

  /**
   * For each trait of the groups of similar size, as many tokens as should be in the range of `size` tokens of the first group. Reads some more, as
   * the distribution is uneven.
   */
  async function readLists(to: string, size: number): Promise<{ hashes: HashList; isCut: boolean }[][]> {
    const traits = beside.flatMap((group) => group.traits)
    const expected = traits.map(({ tokens }) => (size * tokens) / first!.tokens)
    const shares = expected.map((tokens) => (tokens > 0 ? Math.ceil(tokens + 2 * Math.sqrt(tokens)) : leastStep))
    const values = [...key, traits.map((trait) => trait.key), shares, bounds.from, to]
    const rows = await sql.rows<[string | null]>(selectLists, values)
    const lists = rows.map(([text], i) => {
      const hashes = readHashes(text)
      spent += hashes.length
      return { hashes, isCut: hashes.length === shares[i] }
    })
    return beside.map((group) => lists.splice(0, group.traits.length))
  }

  async function lookUp(group: Group, remaining: HashList): Promise<HashList> {
    spent += remaining.length * group.traits.length * lookupCost
    const traits = group.traits.map((trait) => trait.key)
    const [row] = await sql.rows<[string | null]>(selectHaving, [...key, traits, hashTexts(remaining)])
    return readHashes(row?.[0])
  }
}

/** The hash before a hash, which must not be zero. */
export function hashBefore(hash: string): string {
  return (BigInt(`0x${hash}`) - 1n).toString(16).padStart(32, '0')
}
