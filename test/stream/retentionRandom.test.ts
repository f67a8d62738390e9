// @module-tag system

import { expect, inject, test } from 'vitest'
import type { Database, Transaction } from '../../src/db/database.ts'
import { countDeliveries, countLogs } from '../../src/stream/ledger/answers/countDeliveries.ts'
import type { Attempt, Outcome } from '../../src/stream/ledger/attempt.ts'
import { checkLedger } from '../../src/stream/ledger/checkLedger.ts'
import { awaitConfirmation, forgetConfirmations, takeConfirmed } from '../../src/stream/ledger/confirmations.ts'
import { enqueueWebhooks } from '../../src/stream/ledger/enqueueWebhooks.ts'
import { advanceRangeReplay, readRunning, requestRangeReplay } from '../../src/stream/ledger/rangeReplay.ts'
import { recountLedger } from '../../src/stream/ledger/recountLedger.ts'
import { removeSettled } from '../../src/stream/ledger/removeSettled.ts'
import { requestReplay } from '../../src/stream/ledger/requestReplay.ts'
import { retractWebhooks } from '../../src/stream/ledger/retractWebhooks.ts'
import { settleAttempts } from '../../src/stream/ledger/settleAttempts.ts'
import { addUrls, urlHash } from '../../src/stream/ledger/urlHash.ts'
import { blockHashes, deleteBlocksAbove, insertChain } from '../../src/sync/chainStore.ts'
import { hexToBuffer } from '../../src/util/hex.ts'
import { createTestDatabase } from '../database.ts'
import { createRandom, freshSeed, type Random } from '../random.ts'
import { chainId, insertStreams, type TestStream, testWebhook } from './streams.ts'

const url = 'https://receiver.example'
const rounds = inject('rounds') > 1 ? 30 : 1
const stepsPerRound = 200
/** Distances from the head to the confirmed and the final block. */
const confirmations = 2
const finality = 3
const partitions = new Set(Array.from({ length: 256 }, (_, i) => BigInt(i)))

/** A chain and its streams, with all events that can affect a ledger. */
function createLife(db: Database, streams: readonly TestStream[], random: Random) {
  let head = 0
  let final = 0
  let fork = 1
  const seen = new Set<string>()
  const attempts: Attempt[] = []
  const inTransaction = (work: (tx: Transaction) => Promise<unknown>) => () => db.transaction(work)

  async function follow(tx: Transaction): Promise<void> {
    const number = ++head
    const webhooks = streams.map((stream) => testWebhook(stream, { number, fork, padding: random.int(3_000) }))
    await tx.run(`INSERT INTO block (chain_id, number, hash, parent_hash, timestamp) VALUES ($1, $2, $3, '', 0)`, [
      ...[chainId, number, hexToBuffer(webhooks[0]!.blockHash)],
    ])
    await enqueueWebhooks(tx, webhooks)
    await awaitConfirmation(tx, webhooks)
    await enqueueWebhooks(tx, await takeConfirmed(tx, chainId, BigInt(number - confirmations)))
    final = Math.max(final, number - finality)
    await insertChain(tx, chainId, `0x${'0'.repeat(64)}`, BigInt(number), BigInt(final))
    await tx.run('UPDATE chain SET finalized_number = $1', [final])
  }

  async function reorganise(tx: Transaction): Promise<void> {
    const lost = random.int(head - final + 1)
    head -= lost
    fork += 1
    await retractWebhooks(tx, chainId, await blockHashes(tx, chainId, BigInt(head + 1)))
    await deleteBlocksAbove(tx, chainId, BigInt(head))
    await forgetConfirmations(tx, chainId, BigInt(head))
  }

  function outcome(): Outcome {
    if (random.chance(0.6)) return { status: 'delivered', code: 200, answer: Buffer.from('thanks') }
    const failed = { status: 'failed', error: 'answered 500', code: 500 } as const
    return random.chance(0.5) ? failed : { ...failed, retryAt: new Date() }
  }

  async function settle(tx: Transaction): Promise<void> {
    const rows = await tx.rows<[number, string, bigint, number, number]>(
      `SELECT partition, stream_id::text, position, replay, failures FROM webhook_queue ORDER BY md5(id::text || $1) LIMIT 12`,
      [String(random.next())],
    )
    const made = rows.map(([partition, streamId, position, replay, failures]): Attempt => {
      const key = { partition, streamId, chainId, position, replay, number: failures + 1 }
      // The attempt is old. When it is settled again, its webhook may have been removed.
      return {
        ...key,
        urlHash: urlHash(url),
        at: new Date(Date.now() - 172_800_000),
        ms: random.int(1_000),
        outcome: outcome(),
      }
    })
    attempts.push(...made)
    await settleAttempts(tx, made, new Date())
  }

  async function settleAgain(tx: Transaction): Promise<void> {
    const again = attempts.filter(() => random.chance(0.05))
    await settleAttempts(
      tx,
      [...new Map(again.map((a) => [`${a.position}:${a.replay}:${a.number}`, a])).values()],
      new Date(),
    )
  }

  async function replay(): Promise<void> {
    for (const [id] of await db.rows<[string]>('SELECT id::text FROM webhook')) seen.add(id)
    if (seen.size === 0) return
    const id = random.pick([...seen])
    const stream = random.pick(streams)
    const known = await db.rows<[boolean]>('SELECT retracted FROM webhook WHERE id = $1 AND stream_id = $2', [
      id,
      stream.id,
    ])
    const code = await requestReplay({ db, streamId: stream.id, id }).then(String, (error) => error.code)
    // A webhook that existed once is never unknown, whatever happens later.
    if (known.length > 0) expect(['true', 'GONE', ...(known[0]![0] ? ['CONFLICT'] : [])]).toContain(code)
    else expect(['false', 'GONE']).toContain(code)
  }

  async function replayRange(tx: Transaction): Promise<void> {
    const status = random.pick([null, 'delivered', 'failed', 'dropped', 'pending'] as const)
    const fromBlock = random.chance(0.5) ? null : BigInt(random.int(head + 1))
    await requestRangeReplay({
      tx,
      streamId: random.pick(streams).id,
      range: { chainId, fromBlock, toBlock: null, status },
    })
    for (const key of await readRunning(tx, partitions)) await advanceRangeReplay(tx, key)
  }

  async function remove(tx: Transaction): Promise<void> {
    const { partition } = random.pick(streams)
    await removeSettled(tx, { partition, after: BigInt(random.int(20)), before: new Date(Date.now() + 60_000) })
  }

  const changes = [follow, follow, follow, reorganise, settle, settle, settle, settleAgain, replayRange, remove, remove]

  return {
    async step(): Promise<void> {
      const dice = random.next()
      const change = random.pick(changes)
      if (dice < 0.2) {
        const before = [head, final] as const
        const crashing = inTransaction(async (tx) => {
          await change(tx)
          await tx.run('SELECT 1 / 0')
        })
        await expect(crashing()).rejects.toMatchObject({ code: '22012' })
        ;[head, final] = before
        return
      }
      if (dice < 0.4) return replay()
      if (dice < 0.5) {
        await Promise.all([
          inTransaction(remove)(),
          replay(),
          inTransaction(replayRange)(),
          inTransaction(settle)(),
          replay(),
        ])
        return
      }
      await inTransaction(change)()
    },
    /** Sends, finalizes and removes everything. */
    async end(): Promise<void> {
      for (let i = 0; i < confirmations + finality; i++) await inTransaction(follow)()
      for (let remaining = 1n; remaining > 0n; ) {
        await inTransaction(settle)()
        ;[[remaining = 0n] = []] = await db.rows<[bigint]>('SELECT count(*) FROM webhook_queue')
      }
      await db.run('UPDATE chain SET finalized_number = $1', [head])
      await db.run('DELETE FROM stream_confirmation')
      for (let i = 0; i < 2; i++)
        for (const { partition } of streams)
          await db.transaction((tx) =>
            removeSettled(tx, { partition, after: 0n, before: new Date(Date.now() + 60_000) }),
          )
    },
  }
}

test('behavior: the ledger verifies after any order of matching, reorganising, settling, replaying, removing and crashing', async () => {
  for (let round = 0; round < rounds; round++) {
    const random = createRandom(freshSeed())
    process.stdout.write(`seed ${random.seed}\n`)
    const { db, drop } = await createTestDatabase()
    try {
      const streams = await insertStreams(db, [url, `${url}/2`])
      await addUrls(db, [url])
      const life = createLife(db, streams, random)
      for (let i = 0; i < stepsPerRound; i++) {
        await life.step()
        if (i % 5 === 0) await expectGood(db)
      }
      expect((await expectGood(db)).removed.webhooks).toBeGreaterThan(10)
      await life.end()
      expect((await expectGood(db)).webhooks).toBe(0)
      for (const table of ['webhook_text', 'webhook_attempt', 'webhook_undelivered'])
        expect(await db.rows(`SELECT count(*)::int FROM ${table}`), table).toEqual([[0]])
    } finally {
      await drop()
    }
  }
})

/** Counters equal the sums of removed and stored webhooks, lists count their webhooks, and every stored webhook is readable. */
async function expectGood(db: Database) {
  const recount = await recountLedger(db)
  expect(recount.mismatches).toEqual([])
  expect((await checkLedger(db)).unbalanced).toEqual([])
  expect(await countDeliveries(db, { streamId: null, status: null })).toBe(recount.webhooks)
  expect(await countLogs(db, { streamId: null })).toBe(recount.attempts)
  const astray = await db.rows(
    `SELECT 'queued' FROM webhook_queue q LEFT JOIN webhook_body b USING (partition, position) WHERE b.body IS NULL
     UNION ALL SELECT 'attempted' FROM webhook_attempt a LEFT JOIN webhook w USING (partition, position) WHERE w.id IS NULL`,
  )
  expect(astray).toEqual([])
  const unreadable = await db.rows(`SELECT 1 FROM webhook_body WHERE body IS NULL OR body NOT LIKE '{"confirmed":%}'`)
  expect(unreadable).toEqual([])
  return recount
}
