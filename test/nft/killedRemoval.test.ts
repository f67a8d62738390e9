// @module-tag system

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { nextRemoval, removeRows } from '../../src/nft/store/removals.ts'
import { commandEnv } from '../commandEnv.ts'
import { runCommand } from '../commandLine.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { lockWaits } from '../lockWaits.ts'
import { patience } from '../patience.ts'
import { builtProgram } from '../program.ts'
import { seedCollection } from '../seedCollection.ts'
import { killProcess } from '../serviceProcess.ts'

const address = `0x${'ab'.repeat(20)}` as const
const other = `0x${'cd'.repeat(20)}` as const

/** Starts the removal of the first of two collections. It waits for a token that another transaction has locked. */
async function startRemoval(): Promise<{ t: TestDatabase; kill: () => Promise<void> }> {
  const t = await createTestDatabase()
  onTestFinished(() => t.drop())
  const key = await seedCollection(t.db, { address, tokens: [1n, 2n, 3n], columns: { spam_override: true } })
  await seedCollection(t.db, { address: other, tokens: [1n] })
  await t.db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
     SELECT partition, collection_id, token_hash, token_id, now() FROM token WHERE collection_id = $1`,
    [key.id],
  )
  const blocker = await t.db.connect()
  await blocker.query('BEGIN')
  await blocker.query('SELECT 1 FROM token WHERE partition = $1 AND collection_id = $2 AND token_id = 2 FOR UPDATE', [
    key.partition,
    key.id,
  ])
  const args = ['collections', 'reindex', 'eth', address, '--yes', '--database-url', t.url]
  const child = spawn(process.execPath, [await builtProgram(), ...args], { env: commandEnv, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const isHeld = async () => (await lockWaits(t.db)) > 0
  await Promise.race([vi.waitUntil(isHeld, patience), ended.then(() => Promise.reject(new Error('the command ended')))])
  return {
    t,
    async kill() {
      await killProcess(child)
      await blocker.end()
      await vi.waitUntil(async () => !(await isHeld()), patience)
    },
  }
}

const count = async ({ db }: TestDatabase, table: string) =>
  (await db.rows<[bigint]>(`SELECT count(*) FROM ${table}`))[0]?.[0]

test('behavior: a collection removal does not lock its chain, and a killed removal is completed later', async () => {
  const { t, kill } = await startRemoval()
  // The removal is half done: pending tasks are removed, tokens still exist.
  expect([await count(t, 'metadata_due'), await count(t, 'token')]).toEqual([0n, 4n])
  await t.db.transaction((tx) => tx.rows('SELECT 1 FROM chain WHERE id = 1 FOR UPDATE NOWAIT'))
  await kill()
  const show = await runCommand(['collections', 'show', 'eth', address, '--json', '--database-url', t.url])
  expect(JSON.parse(show.out)).toMatchObject({ status: 'queued', tokens: '0', verdict: { spamOverride: true } })
  expect((await runCommand(['collections', 'list', '--database-url', t.url])).out.trimEnd().split('\n')).toHaveLength(3)

  const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
  // The process that started the removal may still be running.
  expect(await nextRemoval(t.db, partitions)).toBeUndefined()
  await t.db.run(`UPDATE collection_removal SET due_at = now(), noted_at = now() - interval '1 hour'`)
  const removal = await nextRemoval(t.db, partitions)
  const both = await Promise.all([removeRows(t.db, removal!), removeRows(t.db, removal!)])
  expect(both[0].tokens + both[1].tokens).toBeLessThanOrEqual(3)
  expect([await count(t, 'token'), await count(t, 'collection_removal')]).toEqual([1n, 0n])
})
