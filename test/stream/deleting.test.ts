// @module-tag system

import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { compileStream } from '../../src/stream/match/compileStream.ts'
import { createStreamIndex } from '../../src/stream/match/createStreamIndex.ts'
import type { Address } from '../../src/util/hex.ts'
import { adminKey, createTestApi } from '../api.ts'
import { createTestDelivery } from './testDelivery.ts'

const addressOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`

test('behavior: a stream is deleted immediately, and no chain is locked while its addresses are deleted', async () => {
  const t = await createTestApi({ config: { chains: { local: { id: '0x7a69', rpc: ['http://127.0.0.1:1'] } } } })
  const send = (method: string, path: string, body?: unknown) =>
    t.api.request(
      new Request(`http://localhost${path}`, {
        method,
        headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
  const created = await send('PUT', '/streams/evm', {
    webhookUrl: 'https://receiver.example/hook',
    description: '',
    tag: '',
    chainIds: ['0x7a69'],
  })
  const { id } = (await created.json()) as { id: string }
  const addresses = Array.from({ length: 25_000 }, (_, n) => addressOf(n))
  expect((await send('POST', `/streams/evm/${id}/address`, { address: addresses.slice(0, 100) })).status).toBe(200)
  await t.db.run(
    `INSERT INTO stream_address SELECT partition, id, decode(lpad(to_hex(n), 40, '0'), 'hex') FROM stream, generate_series(100, 24999) n`,
  )
  let deleting: Promise<Response> | undefined
  await t.db.transaction(async (tx) => {
    // Another transaction locks one address, so that it cannot be deleted yet.
    const [[partition] = []] = await tx.rows<[number]>('SELECT partition FROM stream')
    await tx.rows('SELECT 1 FROM stream_address WHERE partition = $1 AND address = $2 FOR UPDATE', [
      partition,
      Buffer.from(addressOf(50).slice(2), 'hex'),
    ])
    deleting = send('DELETE', `/streams/evm/${id}`)
    await expect.poll(async () => (await send('GET', `/streams/evm/${id}`)).status).toBe(404)
    await t.db.transaction((other) => other.rows('SELECT 1 FROM chain FOR UPDATE NOWAIT'))
  })
  expect((await deleting!).status).toBe(200)
  expect(await t.db.rows('SELECT 1 FROM stream_address LIMIT 1')).toEqual([])
  await t.drop()
})

test('behavior: the delivering process deletes the addresses of a stream whose deletion was interrupted', async () => {
  await using t = await createTestDelivery()
  await t.db.run(
    `INSERT INTO stream_address SELECT n % 200, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, '\\x01'::bytea
     FROM generate_series(1, 300) n`,
  )
  await t.start()
  await t.untilValue('SELECT count(*)::int FROM stream_address', 0)
})

test('behavior: the matching index removes a stream immediately, and its addresses gradually', async () => {
  const index = createStreamIndex()
  const stream = (id: string) =>
    compileStream({
      id,
      tag: '',
      definition: { topic0: [], abi: [], advancedOptions: [], getNativeBalances: [] },
    } as unknown as Parameters<typeof compileStream>[0])
  const addresses = Array.from({ length: 100_000 }, (_, n) => addressOf(n))
  const big = index.put(stream('big'))
  index.watch(big, addresses)
  const small = index.put(stream('small'))
  index.watch(small, [addressOf(7), addressOf(99_999)])

  index.remove('big')
  expect(index.size()).toBeGreaterThan(50_000)
  expect(index.watching(addressOf(8))).toBeUndefined()
  expect([index.watching(addressOf(99_999))].flat()).toEqual([small])
  const next = index.put(stream('next'))
  index.watch(next, [addressOf(8)])
  expect([index.watching(addressOf(8))].flat()).toEqual([next])
  while (index.size() > 3) await setImmediate()
  expect([index.watching(addressOf(7)), index.watching(addressOf(8))].flat()).toEqual([small, next])
  expect([index.watching(addressOf(99_999))].flat()).toEqual([small])
})
