import { expect } from 'vitest'
import { forgetTokens } from '../src/nft/metadata/store/forgetTokens.ts'
import { tokenHash } from '../src/nft/transfers/tokenHash.ts'
import type { TestDatabase } from './database.ts'
import { type Seeded, store } from './metadataPages.ts'
import type { Random } from './random.ts'

export type Attribute = { trait_type?: string; value?: string | number | boolean | undefined }

/** Texts with every character that separates, escapes or quotes in some format. */
const texts = [
  'Hat',
  'hat',
  'a:b',
  'a\\:b',
  'a\\',
  '\\',
  ':',
  'x,y',
  '"quoted"',
  '{a}',
  'Größe',
  'e\u0301',
  '\u{1f3a9} hat',
  ' a ',
  'NULL',
]
const types = [...texts, '']
const values: Attribute['value'][] = [...texts, '', 5, '5', 1.5, -1, 1e21, true, 'true', 'long '.repeat(300)]

/** A random item of the list; the first four are more likely. */
const often = <T>(random: Random, list: readonly T[]): T => list[random.int(random.chance(0.7) ? 4 : list.length)]!

/** The attributes of metadata, some of them twice, some without a type or a value. */
export function randomAttributes(random: Random): Attribute[] {
  return Array.from({ length: random.int(7) }, () => ({
    ...(random.chance(0.9) && { trait_type: often(random, types) }),
    ...(random.chance(0.95) && { value: often(random, values) }),
  }))
}

/** The name of a trait. It is the same for 5 and "5". */
export const traitName = ({ trait_type = null, value }: { trait_type?: string | null; value?: unknown }): string =>
  JSON.stringify([trait_type, String(value)])

/** The names of all traits with a value, without duplicates. */
export const traitsOf = (attributes: readonly Attribute[]): Set<string> =>
  new Set(attributes.filter(({ value }) => value !== undefined).map(traitName))

/** Metadata of a collection by token id, as last stored. */
export type Documents = Map<bigint, readonly Attribute[]>

/** Stores metadata as the metadata reader does, and adds it to `documents`. */
export async function read(
  database: TestDatabase,
  collection: Seeded,
  documents: Documents,
  changes: ReadonlyMap<bigint, readonly Attribute[]>,
): Promise<void> {
  const reported = [...changes].map(([id, attributes]) => [id, JSON.stringify({ name: `#${id}`, attributes })] as const)
  await store(database, collection, new Map(reported))
  for (const [id, attributes] of changes) documents.set(id, attributes)
}

/** Burns tokens as storing their transfers does. */
export async function burn(
  { db }: TestDatabase,
  { address, partition, id }: Seeded,
  documents: Documents,
  tokens: readonly bigint[],
): Promise<void> {
  const hashes = tokens.map((token) => tokenHash(address, String(token)))
  await db.transaction(async (tx) => {
    const removed = await tx.run(
      `UPDATE token SET amount = 0 WHERE partition = $1 AND collection_id = $2 AND token_hash = ANY($3::uuid[])`,
      [partition, id, hashes],
    )
    expect(removed).toBe(tokens.length)
    await tx.run('UPDATE collection SET tokens = tokens - $3 WHERE partition = $1 AND id = $2', [
      partition,
      id,
      removed,
    ])
    await forgetTokens(
      tx,
      hashes.map((hash) => ({ partition, id, hash })),
    )
  })
  for (const token of tokens) documents.delete(token)
}

/** The number of tokens with each trait, by the trait's name. */
export function countTraits(documents: Documents): Map<string, number> {
  const counts = new Map<string, number>()
  for (const attributes of documents.values())
    for (const name of traitsOf(attributes)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** Traits for a filter, most of them from the metadata. The value is a text. */
export function randomFilter(random: Random, documents: Documents): Attribute[] {
  const known = [...documents.values()].flat().filter(({ value }) => value !== undefined)
  return Array.from({ length: 1 + random.int(random.pick([1, 3, 20])) }, () => {
    const { trait_type = '', value } = random.chance(0.9) ? random.pick(known) : { value: random.pick(values) }
    return { trait_type, value: String(value) }
  })
}

/** The trait in the form of the parameter `traits`. A colon in the value may be escaped or not. */
export function writeTrait({ trait_type = '', value }: Attribute, random: Random): string {
  const escaped = (text: string, specials: RegExp) => text.replace(specials, '\\$&')
  return `${escaped(trait_type, /[\\:]/g)}:${escaped(String(value), random.chance(0.5) ? /[\\:]/g : /\\/g)}`
}

/** Whether metadata has one of the requested values for each requested type. An empty type equals no type. */
export function matches(attributes: readonly Attribute[], filter: readonly Attribute[]): boolean {
  const has = (type: string, value: unknown) =>
    attributes.some((own) => own.value !== undefined && (own.trait_type ?? '') === type && String(own.value) === value)
  return filter.every(({ trait_type = '' }) =>
    filter.some((requested) => (requested.trait_type ?? '') === trait_type && has(trait_type, requested.value)),
  )
}
