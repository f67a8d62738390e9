// @module-tag system

import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { createRandom, freshSeed } from '../random.ts'
import { startReceiver } from '../receiver.ts'
import { insertStreams, testWebhook } from './streams.ts'
import { createTestDelivery } from './testDelivery.ts'

const kills = inject('rounds') > 1 ? 10 : 6
const blocks = 12 * kills

/** The errors of attempts, in turn. Silence costs the time of a timeout. */
const failures = ['500', 'cut', '500', 'silence'] as const
type Fault = (typeof failures)[number] | '410' | '429' | 'dribble'

/** A 2xx response whose body takes longer than the sender's timeout. */
function dribble(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' })
  const timer = setInterval(() => response.write('.'), 20)
  response.on('close', () => clearInterval(timer))
}

test('behavior: repeated kills and all kinds of receiver errors lose nothing, ids are stable, and statistics match the ledger', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using t = await createTestDelivery()
  let calm = false
  const struck = new Map<Fault, number>()
  let failed = 0
  await using receiver = await startReceiver(({ path, body }, response) => {
    const fault = faultOf(path, body)
    if (fault === undefined) return 200
    struck.set(fault, (struck.get(fault) ?? 0) + 1)
    if (fault === 'cut') response.destroy()
    if (fault === 'dribble') dribble(response)
    return Number(fault) || undefined
  })
  /** The first attempts of a third of the webhooks always fail. Others fail occasionally, until the receiver is calm. */
  const faultOf = (path: string, body: string): Fault | undefined => {
    const block = Number(/"number":"(\d+)"/.exec(body)![1])
    if (body.includes('"retries":0,')) {
      if (path === '/gone' && block % 12 === 1 && !calm) return '410'
      // Each 429 pauses its address for a second.
      if (block === 6 && body.includes('"confirmed":false')) return '429'
      if (block % 3 === 0) return failures[failed++ % failures.length]
      if (block % 24 === 7) return 'dribble'
    }
    return calm || random.chance(0.8) ? undefined : random.pick(failures)
  }
  // Here, no success rate stops a stream. A 410 does, and the test resumes the stream.
  const settings = {
    retryDelaysMs: Array.from({ length: 60 }, () => 60),
    timeoutMs: 150,
    minSuccessRate: 0,
    maxConcurrencyPerUrl: 16,
  }
  const streams = await insertStreams(
    t.db,
    ['/a', '/b', '/c', '/gone'].map((path) => receiver.url + path),
  )
  let next = 1
  const enqueueSome = async (count: number) => {
    for (const end = Math.min(blocks, next + count - 1); next <= end; next++)
      await t.enqueue(
        streams.flatMap((stream) => [
          testWebhook(stream, { number: next }),
          ...(next > 3 ? [testWebhook(stream, { number: next - 3, kind: 'confirmed' })] : []),
        ]),
      )
  }
  const start = async () => {
    const child = fork(join(import.meta.dirname, 'delivererProcess.ts'), [t.url, JSON.stringify(settings)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    await once(child, 'message')
    return child
  }
  const resume = () => t.db.run(`UPDATE stream SET status = 'active' WHERE status = 'error'`)

  for (let round = 0; round < kills; round++) {
    const child = await start()
    const seenBefore = receiver.received.length
    const working = enqueueSome(blocks / kills)
    await receiver.until(seenBefore + 15)
    await delay(random.int(200))
    child.kill('SIGKILL')
    await once(child, 'exit')
    await working
    await resume()
  }
  calm = true
  const last = await start()
  await enqueueSome(blocks)
  await resume()
  await t.db.rows(`SELECT pg_notify('mintmark_webhooks', '')`)
  await t.untilValue('SELECT count(*)::int FROM webhook_queue', 0)
  last.kill('SIGKILL')
  await once(last, 'exit')

  const matched = streams.length * (blocks + blocks - 3)
  const statuses = await t.db.rows('SELECT status, count(*)::int FROM webhook GROUP BY status')
  expect(statuses).toEqual([['delivered', matched]])
  const recount = await t.recount()
  expect(recount.mismatches).toEqual([])
  // All planned errors occurred; otherwise this test would prove nothing.
  const [thirds] = await t.db.rows<[number]>('SELECT count(*)::int FROM webhook WHERE block_number % 3 = 0')
  expect(thirds![0]).toBe((streams.length * (blocks + blocks - 3)) / 3)
  expect(recount.attempts).toBeGreaterThanOrEqual(matched + thirds![0])
  expect([...struck.keys()].sort()).toEqual(['410', '429', '500', 'cut', 'dribble', 'silence'])
  // The receiver saw every webhook of the ledger, with its id and its body.
  const ledger = await t.db.rows<[string, string]>(
    'SELECT id::text, body FROM webhook JOIN webhook_body USING (partition, position)',
  )
  const seen = new Map<string, Set<string>>()
  const unseen = new Set<string>()
  for (const { headers, body } of receiver.received) {
    const id = String(headers['webhook-id'])
    // On a busy machine, the first attempt may time out before the receiver reads it.
    if (!seen.has(id) && !body.includes('"retries":0,')) unseen.add(id)
    seen.set(id, (seen.get(id) ?? new Set()).add(body.replace(/"retries":\d+/, '"retries":0')))
  }
  expect(seen.size).toBe(matched)
  for (const [id, body] of ledger) expect([...(seen.get(id) ?? [])]).toEqual([body])
  // A busy receiver may read a first attempt that timed out after the next attempt. A timer may fire a millisecond early.
  const unanswered = await t.db.rows<[string]>(
    `SELECT id::text FROM webhook w JOIN webhook_attempt a USING (partition, position)
     WHERE a.replay = 0 AND a.number = 1 AND a.code IS NULL AND a.ms >= $1`,
    [settings.timeoutMs - 5],
  )
  for (const [id] of unanswered) unseen.add(id)
  // First attempts keep the order of the ledger, whichever process was killed: the receiver first sees webhooks in that order.
  for (const stream of streams) {
    const order = await t.db.rows<[string]>('SELECT id::text FROM webhook WHERE stream_id = $1 ORDER BY position', [
      stream.id,
    ])
    const ids = order.map(([id]) => id).filter((id) => !unseen.has(id))
    const own = new Set(ids)
    expect([...seen.keys()].filter((id) => own.has(id))).toEqual(ids)
  }
})
