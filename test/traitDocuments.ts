import { expect } from 'vitest'
import { forgetTokens } from '../src/nft/metadata/store/forgetTokens.ts'
import { tokenHash } from '../src/nft/transfers/tokenHash.ts'
import type { TestDatabase } from './database.ts'
import { type Seeded, store } from './documentPages.ts'
import type { Random } from './random.ts'

export type Attribute = { trait_type?: string; value?: string | number | boolean | undefined }

/** Texts with everything that separates, escapes or quotes something somewhere. */
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

/** The attributes of a document, some of them twice, some without a type or a value. */
export function randomAttributes(random: Random): Attribute[] {
  return Array.from({ length: random.int(7) }, () => ({
    ...(random.chance(0.9) && { trait_type: random.pick(types) }),
    ...(random.chance(0.95) && { value: random.pick(values) }),
  }))
}

/** The name of a trait, which is the same for 5 and "5". */
export const traitName = ({ trait_type = null, value }: { trait_type?: string | null; value?: unknown }): string =>
  JSON.stringify([trait_type, String(value)])

/** The names of the traits that have a value, each once. */
export const traitsOf = (attributes: readonly Attribute[]): Set<string> =>
  new Set(attributes.filter(({ value }) => value !== undefined).map(traitName))

/** Documents of a collection by token id, as they were stored last. */
export type Documents = Map<bigint, Attribute[]>

/** Stores documents as reading them would, and notes them in `documents`. */
export async function read(
  database: TestDatabase,
  collection: Seeded,
  documents: Documents,
  changes: ReadonlyMap<bigint, Attribute[]>,
): Promise<void> {
  const told = [...changes].map(([id, attributes]) => [id, JSON.stringify({ name: `#${id}`, attributes })] as const)
  await store(database, collection, new Map(told))
  for (const [id, attributes] of changes) documents.set(id, attributes)
}

/** Burns tokens as storing their transfers would. */
export async function burn(
  { db }: TestDatabase,
  { address, partition, id }: Seeded,
  documents: Documents,
  tokens: readonly bigint[],
): Promise<void> {
  const hashes = tokens.map((token) => tokenHash(address, String(token)))
  await db.transaction(async (tx) => {
    const gone = await tx.run(
      `UPDATE token SET amount = 0 WHERE partition = $1 AND collection_id = $2 AND token_hash = ANY($3::uuid[])`,
      [partition, id, hashes],
    )
    expect(gone).toBe(tokens.length)
    await tx.run('UPDATE collection SET tokens = tokens - $3 WHERE partition = $1 AND id = $2', [partition, id, gone])
    await forgetTokens(
      tx,
      hashes.map((hash) => ({ partition, id, hash })),
    )
  })
  for (const token of tokens) documents.delete(token)
}

/** How many tokens have each trait, by its name. */
export function countTraits(documents: Documents): Map<string, number> {
  const counts = new Map<string, number>()
  for (const attributes of documents.values())
    for (const name of traitsOf(attributes)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
