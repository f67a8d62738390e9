import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../../test/database.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { seedLease } from '../../../../test/seedLease.ts'
import type { Address } from '../../../util/hex.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { beginHosts, readHosts } from './hostStore.ts'
import { settleMetadata } from './settleMetadata.ts'

test('behavior: tokens that wait for a dead host are woken even if the process died before it stored the host state', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const address: Address = `0x${'ab'.repeat(20)}`
  const worker = 7
  const collection = await seedCollection(db, { address, tokens: [1n, 2n] })
  await seedLease(db, 'partition', collection.partition, worker)
  const at = new Date(1_700_000_000_000)
  await db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
     SELECT partition, collection_id, token_hash, token_id, $1 FROM token`,
    [at],
  )
  // The host had answered in an earlier time slice.
  await db.run(`INSERT INTO collection_host (partition, collection_id, host) VALUES ($1, $2, 'met.example')`, [
    collection.partition,
    collection.id,
  ])
  const suspend = (tokenId: bigint, host: string) => {
    const token = { hash: tokenHash(address, String(tokenId)), tokenId, attempts: 0, dueAt: at, announcedAt: null }
    const outcome = { state: 'parked' as const, reason: `${host} cannot be reached`, host }
    return { token, outcome, at }
  }
  const settled = [suspend(1n, 'met.example'), suspend(2n, 'new.example')]
  expect(await settleMetadata(db, { collection, worker, settled, coolOffMs: 0 })).toBe(true)
  // The process was killed here. The next time slice tries each host with a token.
  const started = await beginHosts(db, collection, worker)
  expect([...started!.woken.values()].toSorted()).toEqual(['met.example', 'new.example'])
  expect((await readHosts(db, collection)).map(({ host, fault }) => [host, fault])).toEqual([
    ['met.example', 'met.example cannot be reached'],
    ['new.example', 'new.example cannot be reached'],
  ])
})
