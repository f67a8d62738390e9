import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Pool } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { createByteBudget } from '../../../util/byteBudget.ts'
import { type PostOptions, postJson } from './postJson.ts'

const mebibyte = 1_048_576

/** Posts to a server that returns these answers in order. */
async function startServer(answers: { body: Buffer | string; isPacked?: boolean }[]) {
  let next = 0
  const server = createServer((_, response) => {
    const { body, isPacked } = answers[next++ % answers.length]!
    response.writeHead(200, isPacked ? { 'content-encoding': 'gzip' } : {}).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 16 })
  onTestFinished(async () => {
    await pool.destroy()
    server.close()
  })
  const budget = createByteBudget(256 * mebibyte)
  const bounds = { bytes: 256 * mebibyte, nesting: 64 }
  return {
    budget,
    post: (options: Partial<PostOptions> = {}) =>
      postJson({ pool, path: '/', headers: {}, body: '{}', timeoutMs: 30_000, bounds, budget, ...options }),
  }
}

test('error: an answer with an extreme compression ratio is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(100 * mebibyte, ' '))
  const { post, budget } = await startServer([{ body: bomb, isPacked: true }])
  let most = 0
  const watched = {
    ...budget,
    open() {
      const holder = budget.open()
      return {
        ...holder,
        take(bytes: number, signal: AbortSignal) {
          const acquired = holder.take(bytes, signal)
          most = Math.max(most, budget.held())
          return acquired
        },
      }
    },
  }
  expect(await post({ budget: watched })).toEqual({ kind: 'too_large' })
  expect(most).toBeLessThanOrEqual(16 * mebibyte + 65_536)
  expect(budget.held()).toBe(0)
})

test('behavior: reads well compressed answers, including calldata of zeros only', async () => {
  const logs = Array.from({ length: 20_000 }, (_, i) => ({
    data: `0x${i.toString(16).padStart(64, '0')}`,
    removed: false,
  }))
  const zeros = { input: `0x${'0'.repeat(8 * mebibyte)}` }
  for (const value of [logs, zeros]) {
    const { post } = await startServer([{ body: gzipSync(JSON.stringify(value)), isPacked: true }])
    expect(await post()).toMatchObject({ kind: 'reply', status: 200, json: value })
  }
})

test.each([
  ['deep', '['.repeat(2 * mebibyte) + ']'.repeat(2 * mebibyte)],
  ['wide', `[${'[],'.repeat(mebibyte)}[]]`],
  ['both', `[${`${'['.repeat(60)}${']'.repeat(60)},`.repeat(30_000)}[]]`],
])('error: four megabytes of lists nested %s are not parsed', async (_, body) => {
  const { post } = await startServer([{ body }])
  expect(await post()).toEqual({ kind: 'too_nested' })
})

test('error: an answer longer than its limit is aborted', async () => {
  const { post, budget } = await startServer([{ body: ' '.repeat(mebibyte) }])
  expect(await post({ bounds: { bytes: 65_536, nesting: 64 } })).toEqual({ kind: 'too_large' })
  expect(budget.held()).toBe(0)
})

test('error: a node with endless answers leaves budget for the answers of other nodes', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/good') return void response.end(JSON.stringify('x'.repeat(50_000)))
    response.write('x'.repeat(600_000))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 16 })
  const stop = new AbortController()
  onTestFinished(async () => {
    await pool.destroy()
    server.closeAllConnections()
    server.close()
  })
  const budget = createByteBudget(mebibyte)
  const common = { pool, headers: {}, body: '{}', timeoutMs: 30_000, bounds: { bytes: mebibyte, nesting: 64 } }
  const greedy = budget.share()
  let ended = 0
  const endless = Array.from({ length: 8 }, async () => {
    await postJson({ ...common, path: '/', budget: greedy, signal: stop.signal }).catch(() => undefined)
    ended++
  })
  // More than the budget: one of them exceeds it, and the others wait.
  await expect.poll(budget.held).toBeGreaterThan(1_200_000)
  const good = budget.share()
  expect(await postJson({ ...common, path: '/good', budget: good })).toMatchObject({ kind: 'reply', status: 200 })
  expect(ended).toBe(0)
  stop.abort()
  await Promise.all(endless)
  expect(budget.held()).toBe(0)
})

test('behavior: sixteen concurrent answers share a budget that fits only two', async () => {
  const value = 'x'.repeat(mebibyte)
  const { post } = await startServer([{ body: JSON.stringify(value) }])
  const budget = createByteBudget(2 * mebibyte)
  let most = 0
  const watched = {
    ...budget,
    open() {
      const holder = budget.open()
      const close = () => {
        most = Math.max(most, budget.held())
        holder.close()
      }
      return { ...holder, close }
    },
  }
  const replies = await Promise.all(Array.from({ length: 16 }, () => post({ budget: watched })))
  for (const reply of replies) expect(reply).toMatchObject({ kind: 'reply', json: value })
  expect(most).toBeLessThanOrEqual(3 * mebibyte + 65_536)
  expect(budget.held()).toBe(0)
})
