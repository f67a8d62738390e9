import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { recallSource, rememberSource } from './mediaSource.ts'
import { noMedia } from './mediaStore.ts'

const hashOf = (number: number) => Buffer.from([7, ...Buffer.from(number.toString(16).padStart(62, '0'), 'hex')])

test('behavior: storing an image source deletes the oldest ones, and does not wait for one that is being renewed', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const { parentHash: _, ...nothing } = noMedia
  const known = { ...nothing, status: 'unsupported_media' as const }
  await db.run(
    `INSERT INTO media_source (partition, source_hash, status, seen_at)
     SELECT 7, h, 'unsupported_media', now() - make_interval(hours => n::int)
     FROM unnest($1::bytea[]) WITH ORDINALITY AS t (h, n)`,
    [Array.from({ length: 258 }, (_, i) => hashOf(i))],
  )
  const [oldest, next] = [hashOf(257), hashOf(256)]
  await db.transaction(async (tx) => {
    // Another worker finds these bytes again. Afterwards it also deletes old ones.
    await tx.fresh.run('UPDATE media_source SET seen_at = now() WHERE partition = 7 AND source_hash = $1', [oldest])
    await rememberSource(db, next, known)
    await tx.fresh.run('UPDATE media_source SET seen_at = seen_at WHERE partition = 7 AND source_hash = $1', [next])
  })
  expect(await recallSource(db, oldest)).toMatchObject(known)
  expect(await recallSource(db, next)).toMatchObject(known)
  await rememberSource(db, hashOf(1_000), known)
  expect(await db.rows('SELECT count(*) FROM media_source')).toEqual([[256n]])
  expect(await recallSource(db, hashOf(255))).toBeUndefined()
})
