import { appendFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { readlink, writeFile as writeBytes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { patience } from '../../../test/patience.ts'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { stallMs } from '../../util/files/readFilePart.ts'
import { noopLog } from '../../util/log.ts'
import type { MadeFile } from '../fileQuery.ts'
import { createMadeFiles, type MadeFiles, mostMs } from './createMadeFiles.ts'
import { factsBytes } from './madeFile.ts'

type Facts = { rows: number }

async function openFiles(
  options: { folder?: string; maxBytes?: number } = {},
): Promise<MadeFiles & { folder: string }> {
  const folder = options.folder ?? (await temporaryFolder())
  const stopping = new AbortController()
  const files = createMadeFiles({
    ...{ maxBytes: 1e9, atOnce: 2, ...options, folder },
    ...{ signal: stopping.signal, log: noopLog },
  })
  const close = () => {
    stopping.abort()
    return files.close()
  }
  onTestFinished(close)
  return { ...files, close, folder }
}

/** A file whose creation the test controls. */
function heldFile(body = 'rows') {
  const { promise, resolve } = Promise.withResolvers<void>()
  let made = 0
  const make = async (path: string, signal: AbortSignal): Promise<Facts> => {
    made++
    await Promise.race([
      promise,
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ])
    await writeBytes(path, Buffer.concat([Buffer.alloc(factsBytes), Buffer.from(body)]))
    return { rows: body.length }
  }
  return { make, finish: resolve, made: () => made }
}

const bodyOf = (file: MadeFile<Facts>) => text(file.open())

test('behavior: a file is generated once for all concurrent requests, and is cached', async () => {
  const files = await openFiles()
  const held = heldFile('1,2,3')
  const requested = [1n, 2n, 1n].map((keyId) => files.get<Facts>({ name: 'a', keyId, make: held.make }))
  held.finish()
  const got = await Promise.all(requested)
  expect(await Promise.all(got.map(bodyOf))).toEqual(['1,2,3', '1,2,3', '1,2,3'])
  expect(got.map(({ facts, bytes }) => [facts, bytes])).toEqual(Array(3).fill([{ rows: 5 }, 5]))
  const again = await (await openFiles({ folder: files.folder })).get<Facts>({ name: 'a', keyId: 3n, make: held.make })
  expect([await bodyOf(again), held.made()]).toEqual(['1,2,3', 1])
})

test('error: rejects a second concurrent file of one key, and a third one of the server', async () => {
  const files = await openFiles()
  const [one, two, three] = [heldFile(), heldFile(), heldFile()]
  const first = files.get<Facts>({ name: 'a', keyId: 1n, make: one.make })
  await vi.waitUntil(() => one.made() === 1, patience)
  await expect(files.get<Facts>({ name: 'b', keyId: 1n, make: two.make })).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    retryAfterSeconds: 5,
  })
  const second = files.get<Facts>({ name: 'b', keyId: 2n, make: two.make })
  await vi.waitUntil(() => two.made() === 1, patience)
  await expect(files.get<Facts>({ name: 'c', keyId: 3n, make: three.make })).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  })
  one.finish()
  two.finish()
  three.finish()
  const got = await Promise.all([first, second])
  got.push(await files.get<Facts>({ name: 'c', keyId: 1n, make: three.make }))
  for (const file of got) file.discard()
})

test('behavior: a file that is being read is read to its end, even if it is evicted meanwhile', async () => {
  const files = await openFiles({ maxBytes: 40_000 })
  const bodies = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(20_000))
  const opened: MadeFile<Facts>[] = []
  for (const [i, body] of bodies.entries()) {
    const held = heldFile(body)
    held.finish()
    opened.push(await files.get<Facts>({ name: `file-${i}`, keyId: 1n, make: held.make }))
  }
  await vi.waitUntil(() => readdirSync(files.folder).length < 2, patience)
  expect(await Promise.all(opened.map(bodyOf))).toEqual(bodies)
})

test('behavior: a start removes temporary files of killed processes, and keeps those of running ones', async () => {
  const folder = await temporaryFolder()
  const uuid = '00000000-0000-4000-8000-000000000000'
  const host = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')
  const started = Math.round(performance.timeOrigin)
  const aborted = [`a.csv.${host}.${process.pid}.1.${uuid}.tmp`, `b.csv.${host}.4194304.1.${uuid}.tmp`]
  const kept = [
    `a.csv.${host}.${process.pid}.${started}.${uuid}.tmp`,
    `b.csv.${host}.${process.ppid}.1.${uuid}.tmp`,
    `c.csv.other.1.1.${uuid}.tmp`,
    'whole.csv',
  ]
  for (const name of [...aborted, ...kept]) writeFileSync(join(folder, name), 'half')
  await (await openFiles({ folder })).close()
  expect(readdirSync(folder).sort()).toEqual(kept.sort())
})

test('behavior: a failed file is not cached, and is generated again at the next request', async () => {
  const files = await openFiles()
  const failing = async (path: string): Promise<Facts> => {
    writeFileSync(path, 'half')
    throw new Error('the source failed')
  }
  await expect(files.get<Facts>({ name: 'a', keyId: 1n, make: failing })).rejects.toThrow('the source failed')
  expect(readdirSync(files.folder)).toEqual([])
  const held = heldFile()
  held.finish()
  ;(await files.get<Facts>({ name: 'a', keyId: 1n, make: held.make })).discard()
})

test('behavior: close stops running file generation', async () => {
  const files = await openFiles()
  const held = heldFile()
  const requested = files.get<Facts>({ name: 'a', keyId: 1n, make: held.make })
  await vi.waitUntil(() => held.made() === 1, patience)
  const rejected = expect(requested).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await files.close()
  await rejected
  expect(readdirSync(files.folder)).toEqual([])
})

test('behavior: a cached file whose header or end was lost on disk is generated again', async () => {
  const files = await openFiles()
  const path = join(files.folder, 'a')
  const get = async () => {
    const held = heldFile('good')
    held.finish()
    return bodyOf(await files.get<Facts>({ name: 'a', keyId: 1n, make: held.make }))
  }
  writeFileSync(path, Buffer.alloc(10_000))
  expect(await get()).toBe('good')
  truncateSync(path, factsBytes + 3)
  expect(await get()).toBe('good')
  appendFileSync(path, 'more')
  expect(await get()).toBe('good')
})

test('error: a file truncated while it is read ends with an error, even if only its last bytes are missing', async () => {
  const files = await openFiles()
  const held = heldFile('x'.repeat(300_000))
  held.finish()
  const opened = await files.get<Facts>({ name: 'a', keyId: 1n, make: held.make })
  truncateSync(join(files.folder, 'a'), factsBytes + 299_990)
  await expect(bodyOf(opened)).rejects.toThrow('has 299990 of its 300000 bytes')
})

test('behavior: a file without rows is read as empty', async () => {
  const files = await openFiles()
  const held = heldFile('')
  held.finish()
  expect(await bodyOf(await files.get<Facts>({ name: 'a', keyId: 1n, make: held.make }))).toBe('')
})

test.skipIf(process.platform !== 'linux')(
  'behavior: a file is closed once it is read, abandoned or not wanted',
  async () => {
    const files = await openFiles()
    const held = heldFile('x'.repeat(300_000))
    held.finish()
    const get = () => files.get<Facts>({ name: 'a', keyId: 1n, make: held.make })
    const descriptor = (fd: string) => readlink(`/proc/self/fd/${fd}`).catch(() => '')
    const open = async () =>
      (await Promise.all(readdirSync('/proc/self/fd').map(descriptor))).filter((path) => path.startsWith(files.folder))
    const [read, aborted, unwanted] = [await get(), await get(), await get()]
    expect(await open()).toHaveLength(3)
    await bodyOf(read)
    const reader = aborted.open().getReader()
    await reader.read()
    await reader.cancel()
    unwanted.discard()
    await expect.poll(open, patience).toEqual([])
  },
)

/** The timers of this test advance only by `vi.advanceTimersByTime`. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('error: a file that exceeds the time limit frees its slot, even if its source never ends', async () => {
  const files = await openFiles()
  holdTimers()
  const began = Promise.withResolvers<void>()
  const endless = () => {
    began.resolve()
    return new Promise<Facts>(() => undefined)
  }
  const requested = files.get<Facts>({ name: 'a', keyId: 1n, make: endless })
  const rejected = expect(requested).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await began.promise
  vi.advanceTimersByTime(mostMs - 1)
  await expect(files.get<Facts>({ name: 'b', keyId: 1n, make: endless })).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  })
  vi.advanceTimersByTime(1)
  await rejected
  const held = heldFile('good')
  held.finish()
  expect(await bodyOf(await files.get<Facts>({ name: 'b', keyId: 1n, make: held.make }))).toBe('good')
})

test('error: a file whose reader stalls is closed, and one that is read slowly is not', async () => {
  const files = await openFiles()
  holdTimers()
  const held = heldFile('x'.repeat(300_000))
  held.finish()
  const read = async () => (await files.get<Facts>({ name: 'a', keyId: 1n, make: held.make })).open().getReader()
  const stalled = await read()
  await stalled.read()
  vi.advanceTimersByTime(stallMs)
  await expect(stalled.closed).rejects.toThrow('takes nothing')
  const slow = await read()
  let bytes = 0
  for (;;) {
    const { done, value } = await slow.read()
    if (done) break
    bytes += value.length
    vi.advanceTimersByTime(stallMs - 1)
  }
  expect(bytes).toBe(300_000)
})
