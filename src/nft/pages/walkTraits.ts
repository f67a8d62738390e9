import type { Sql } from '../../db/database.ts'
import type { ShownCollection, TraitFilter } from '../query.ts'

/**
 * What a walk may cost before it ends without having found enough: rows of `token_trait` that are read, 0.2 µs each. A page of a filter that
 * few tokens or none match takes 8 ms and has fewer records than its limit, and a cursor.
 */
const mostSpent = 25_000

/** A lookup of one token under one trait takes as long as reading so many rows in order. */
const lookupCost = 8

/** One part of a filter: tokens that have one of these traits, in `tokens` rows. */
type Group = { traits: readonly CountedTrait[]; tokens: number }
type CountedTrait = { key: string; tokens: number }

/** Token hashes of 32 hex digits, descending. */
type Hashes = readonly string[]

export type TraitWalk = {
  /** At most as many as were asked for. */
  hashes: Hashes
  /** The hash down to which all tokens were looked at; null: to the end. Of no meaning where as many were found as were asked for. */
  to: string | null
}

/** Bounds of hashes, both inclusive. */
export type HashBounds = { from: string; to: string }

const selectCounts = `
SELECT encode(uuid_send(n.trait), 'hex'), n.tokens FROM trait_count n
WHERE n.partition = $1 AND n.collection_id = $2 AND n.trait = ANY($3::uuid[])`

const all = (hashes: string) => `encode(string_agg(uuid_send(${hashes}), ''), 'hex')`

/** For each trait in $3, up to $4 of its tokens from hash $5 to $6, the greatest first, as one text. */
const selectLists = `
SELECT (
  SELECT ${all('token_hash')} FROM (
    SELECT x.token_hash FROM token_trait x
    WHERE x.partition = $1 AND x.collection_id = $2 AND x.trait = f.trait AND x.token_hash >= $5 AND x.token_hash <= $6
    ORDER BY x.token_hash DESC LIMIT f.most
  ) t
) FROM unnest($3::uuid[], $4::int4[]) WITH ORDINALITY AS f (trait, most, place) ORDER BY f.place`

/** Those of the tokens in $4 that have one of the traits in $3, in their order. */
const selectHaving = `
SELECT ${all('t.token_hash')} FROM unnest($4::uuid[]) AS t (token_hash)
WHERE EXISTS (SELECT FROM unnest($3::uuid[]) AS f (trait) CROSS JOIN LATERAL (
  SELECT FROM token_trait x
  WHERE x.partition = $1 AND x.collection_id = $2 AND x.trait = f.trait AND x.token_hash = t.token_hash LIMIT 1
) x)`

/**
 * The tokens that have a trait of each group of `filter`, in descending order of their hashes. The walk follows the group with the fewest
 * tokens. Another group is read beside it, as one merges sorted lists, where both have about as many tokens, else its tokens are looked up.
 */
export async function walkTraits(
  sql: Sql,
  options: { state: ShownCollection; filter: TraitFilter; bounds: HashBounds; limit: number; most?: number },
): Promise<TraitWalk> {
  const { state, filter, bounds, limit, most = mostSpent } = options
  const key = [state.partition, state.id]
  const [first, ...others] = await readGroups()
  const found: string[] = []
  if (!first || [first, ...others].some(({ tokens }) => tokens === 0)) return { hashes: found, to: null }
  const ratios = others.map(({ tokens }) => tokens / first.tokens)
  const costs = others.map(({ traits }, i) => Math.min(1 + ratios[i]!, lookupCost * traits.length))
  const cost = costs.reduce((sum, each) => sum + each, 1)
  let spent = 0
  let tried = 0
  for (let to: string | null = bounds.to; ; ) {
    // As many as found the others so far would find the rest; a first step finds what is missing where every second one matches.
    const rate = tried === 0 ? 0.5 ** others.length : Math.max(found.length, 0.5) / tried
    const wanted = Math.ceil(((limit - found.length) / rate) * 1.1)
    const step = await readStep(first, to, Math.max(32, Math.min(wanted, Math.floor((most - spent) / cost))))
    tried += step.hashes.length
    spent += step.read
    let hashes = step.hashes
    for (const [i, group] of others.entries()) {
      if (hashes.length === 0) break
      const isNear = 1 + ratios[i]! <= lookupCost * group.traits.length
      hashes = isNear ? await readBeside(group, hashes, ratios[i]!) : await lookUp(group, hashes)
    }
    for (const hash of hashes) found.push(hash)
    if (found.length >= limit) return { hashes: found.slice(0, limit), to: null }
    if (step.to === null || step.to === bounds.from) return { hashes: found, to: null }
    if (spent >= most - 32 * cost) return { hashes: found, to: step.to }
    to = hashBefore(step.to)
  }

  async function readGroups(): Promise<Group[]> {
    const rows = await sql.rows<[string, bigint]>(selectCounts, [...key, filter.flat()])
    const counts = new Map(rows.map(([trait, tokens]) => [trait, Number(tokens)]))
    const groups = filter.map((keys) => {
      const traits = keys
        .map((trait) => ({ key: trait, tokens: counts.get(trait) ?? 0 }))
        .filter(({ tokens }) => tokens > 0)
      return { traits, tokens: traits.reduce((sum, { tokens }) => sum + tokens, 0) }
    })
    return groups.sort((a, b) => a.tokens - b.tokens)
  }

  /** About `size` tokens of a group, and the hash down to which that is all of them. */
  async function readStep(
    group: Group,
    to: string,
    size: number,
  ): Promise<{ hashes: Hashes; to: string | null; read: number }> {
    const lists = await readLists(group, { from: bounds.from, to }, size)
    let reached: string | null = null
    for (const { hashes, isCut } of lists)
      if (isCut && (reached === null || hashes.at(-1)! > reached)) reached = hashes.at(-1)!
    const hashes = unite(lists.map((list) => list.hashes))
    const read = lists.reduce((sum, list) => sum + list.hashes.length, 0)
    return { hashes: reached === null ? hashes : hashes.filter((hash) => hash >= reached), to: reached, read }
  }

  /** Of each trait of a group its share of `size`. */
  async function readLists(group: Group, { from, to }: HashBounds, size: number) {
    const shares = group.traits.map(({ tokens }) => Math.ceil((size * tokens) / group.tokens))
    const rows = await sql.rows<[string | null]>(selectLists, [
      ...key,
      group.traits.map((trait) => trait.key),
      shares,
      from,
      to,
    ])
    return rows.map(([text], i) => {
      const hashes = split(text)
      return { hashes, isCut: hashes.length === shares[i] }
    })
  }

  /** Those of `hashes` that have a trait of the group, whose tokens between the first and the last are read; looked up where they are too many. */
  async function readBeside(group: Group, hashes: Hashes, ratio: number): Promise<Hashes> {
    const size = Math.ceil(2 * ratio * hashes.length) + 100
    const lists = await readLists(group, { from: hashes.at(-1)!, to: hashes[0]! }, size)
    spent += lists.reduce((sum, list) => sum + list.hashes.length, 0)
    if (lists.some(({ isCut }) => isCut)) return lookUp(group, hashes)
    const having = new Set(lists.flatMap((list) => list.hashes))
    return hashes.filter((hash) => having.has(hash))
  }

  async function lookUp(group: Group, hashes: Hashes): Promise<Hashes> {
    spent += hashes.length * group.traits.length * lookupCost
    const [row] = await sql.rows<[string | null]>(selectHaving, [
      ...key,
      group.traits.map((trait) => trait.key),
      hashes,
    ])
    return split(row?.[0])
  }
}

/** The hash before a hash; that of zeros has none before it. */
export function hashBefore(hash: string): string {
  return (BigInt(`0x${hash}`) - 1n).toString(16).padStart(32, '0')
}

function split(text: string | null | undefined): string[] {
  const hashes: string[] = []
  if (text) for (let at = 0; at < text.length; at += 32) hashes.push(text.slice(at, at + 32))
  return hashes
}

/** Lists in descending order as one. */
function unite(lists: readonly Hashes[]): Hashes {
  const [first = [], ...rest] = lists
  if (rest.length === 0) return first
  return [...new Set(lists.flat())].sort((a, b) => (a < b ? 1 : -1))
}
