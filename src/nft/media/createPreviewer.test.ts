import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { endlessSvg, flag, heavySvg, slowSvg } from '../../../test/images.ts'
import { patience } from '../../../test/patience.ts'
import { previewSettings, testPreviewer } from '../../../test/previewer.ts'
import { isAlive, previewWorkers, read } from '../../../test/previewWorkers.ts'
import { system } from '../../../test/system.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { noopLog } from '../../util/log.ts'
import { createPreviewer, PreviewerClosedError } from './createPreviewer.ts'
import { PreviewWorkerError } from './draw/previewProcess.ts'

const linux = test.runIf(process.platform === 'linux')
const megabyte = 1_048_576

let small: Buffer
/** 16 million pixels that cannot be decoded row by row: 200 MB. */
let large: Buffer
beforeAll(async () => {
  small = await flag(200, 100).png().toBuffer()
  large = await flag(4_000, 4_000).ensureAlpha().toColourspace('rgb16').png({ progressive: true }).toBuffer()
})

// Every test closes its own previewer.
afterAll(() => expect(previewWorkers()).toEqual([]))

async function oneWorker(): Promise<number> {
  return await vi.waitFor(() => {
    const workers = previewWorkers()
    expect(workers).toHaveLength(1)
    return workers[0]!
  }, patience)
}

test('default: starts no process before the first image, then keeps one', async () => {
  const previewer = testPreviewer()
  expect(await previewer.preview(Buffer.alloc(0))).toMatchObject({ code: 'empty' })
  expect(previewWorkers()).toEqual([])
  expect(await previewer.preview(small)).toMatchObject({ status: 'success' })
  const workers = previewWorkers()
  expect(workers).toHaveLength(1)
  expect(await previewer.preview(small)).toMatchObject({ status: 'success' })
  expect(previewWorkers()).toEqual(workers)
})

linux('behavior: a worker does not inherit the environment of this process, and Linux bounds its memory', async () => {
  const previewer = testPreviewer({ memoryBytes: 256 * megabyte })
  await previewer.preview(small)
  const pid = await oneWorker()
  expect(
    read(pid, 'environ')
      .split('\0')
      .filter(Boolean)
      .map((line) => line.split('=')[0])
      .filter((name) => name !== 'PWD'),
  ).toEqual(['MALLOC_ARENA_MAX'])
  const limits = read(pid, 'limits')
  expect(/^Max data size +(\d+)/m.exec(limits)?.[1]).toBe(String((768 + 256) * megabyte))
  expect(/^Max core file size +(\d+)/m.exec(limits)?.[1]).toBe('0')
  expect(read(pid, 'oom_score_adj').trim()).toBe('1000')
})

test('behavior: no more images than workers are drawn concurrently, and none is lost or mixed up', async () => {
  const previewer = testPreviewer({ workers: 2 })
  const images = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      flag(100 + i, 50)
        .png()
        .toBuffer(),
    ),
  )
  let most = 0
  const outcomes = await Promise.all(
    images.map(async (image) => {
      const outcome = await previewer.preview(image)
      most = Math.max(most, previewWorkers().length)
      return outcome
    }),
  )
  expect(outcomes.map((outcome) => outcome.status === 'success' && outcome.sizes.high.width)).toEqual(
    images.map((_, i) => 100 + i),
  )
  expect(most).toBe(2)
})

test('error: a worker that takes too long is killed and replaced', system, async () => {
  const previewer = testPreviewer({ timeoutMs: 3_000 })
  await previewer.preview(small)
  const first = await oneWorker()
  const outcome = await previewer.preview(endlessSvg())
  expect(outcome).toEqual({ status: 'failed', code: 'time', reason: 'took longer than 3000 ms' })
  expect(isAlive(first)).toBe(false)
  expect(await previewer.preview(small)).toMatchObject({ status: 'success' })
})

test('error: a worker that takes too much memory is killed and replaced', system, async () => {
  const roomy = testPreviewer()
  expect(await roomy.preview(large)).toMatchObject({ status: 'success' })
  await roomy.close()
  const previewer = testPreviewer({ memoryBytes: 128 * megabyte })
  for (let i = 0; i < 2; i++) {
    expect(await previewer.preview(large)).toMatchObject({ status: 'failed', code: 'memory' })
    expect(await previewer.preview(small)).toMatchObject({ status: 'success' })
  }
})

linux('error: an image whose worker dies in the middle of it fails, and is not retried', async () => {
  const started = Promise.withResolvers<number>()
  const debug = ({ pid }: { pid?: number }) => started.resolve(pid!)
  const previewer = testPreviewer({}, { ...noopLog, debug })
  const outcome = previewer.preview(endlessSvg())
  const pid = await started.promise
  const before = cpuTicks(pid)
  await vi.waitFor(() => expect(cpuTicks(pid)).toBeGreaterThan(before + 10), { ...patience, interval: 5 })
  process.kill(pid, 'SIGSEGV')
  expect(await outcome).toEqual({ status: 'failed', code: 'crash', reason: 'the decoder died with SIGSEGV' })
  expect(await previewer.preview(small)).toMatchObject({ status: 'success' })
})

linux('behavior: an image is retried in a new worker if its worker drew others before and dies', system, async () => {
  const previewer = testPreviewer()
  await previewer.preview(small)
  const first = await oneWorker()
  const outcome = previewer.preview(heavySvg)
  const before = cpuTicks(first)
  await vi.waitFor(() => expect(cpuTicks(first)).toBeGreaterThan(before + 10), { ...patience, interval: 5 })
  process.kill(first, 'SIGSEGV')
  expect(await outcome).toMatchObject({ status: 'success' })
  expect(await oneWorker()).not.toBe(first)
})

linux('behavior: a worker that died while idle is replaced', async () => {
  const previewer = testPreviewer()
  await previewer.preview(small)
  const pid = await oneWorker()
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), patience)
  expect(await previewer.preview(small)).toMatchObject({ status: 'success' })
})

test('behavior: an aborted image frees its worker or its place in the queue', async () => {
  const previewer = testPreviewer()
  await previewer.preview(small)
  const [worker] = previewWorkers()
  const running = new AbortController()
  const queued = new AbortController()
  const slow = previewer.preview(slowSvg, { signal: running.signal })
  const waiting = previewer.preview(small, { signal: queued.signal })
  const last = previewer.preview(small)
  queued.abort(new Error('not wanted'))
  await expect(waiting).rejects.toThrow('not wanted')
  running.abort(new Error('nor this'))
  await expect(slow).rejects.toThrow('nor this')
  expect(await last).toMatchObject({ status: 'success' })
  expect(isAlive(worker!)).toBe(false)
  await expect(previewer.preview(small, { signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow('never')
})

test('behavior: close aborts running images and ends all processes', async () => {
  const previewer = testPreviewer({ workers: 2 })
  const outcomes = [slowSvg, slowSvg, small].map((image) => previewer.preview(image).catch((error: unknown) => error))
  await vi.waitFor(() => expect(previewWorkers()).toHaveLength(2), patience)
  await previewer.close()
  for (const outcome of outcomes) expect(await outcome).toBeInstanceOf(PreviewerClosedError)
  expect(previewWorkers()).toEqual([])
  await expect(previewer.preview(small)).rejects.toBeInstanceOf(PreviewerClosedError)
})

test('behavior: image outcomes are counted', system, async () => {
  const metrics = createMetrics()
  const previewer = createPreviewer({ settings: { ...previewSettings, timeoutMs: 3_000 }, log: noopLog, metrics })
  for (const image of [small, small, endlessSvg(), Buffer.from('text'), Buffer.alloc(0)]) await previewer.preview(image)
  await previewer.close()
  const counted = (await metrics.previews.get()).values.map(({ labels, value }) => [labels.result, value])
  expect(Object.fromEntries(counted)).toEqual({ success: 2, time: 1, unsupported_media: 1, empty: 1 })
})

linux('error: if no worker can start, the error is retryable and is not a failure of the image', async () => {
  // This leaves 8 MB of the memory that Node needs to start.
  const previewer = testPreviewer({ memoryBytes: -760 * megabyte })
  const rejected = previewer.preview(small)
  await expect(rejected).rejects.toBeInstanceOf(PreviewWorkerError)
  await expect(rejected).rejects.toMatchObject({ retryable: true })
  await expect(previewer.preview(small)).rejects.toBeInstanceOf(PreviewWorkerError)
})

linux('behavior: workers end when the server is killed, even in the middle of an image', async () => {
  const script = `
    import { createPreviewer } from '${new URL('./createPreviewer.ts', import.meta.url).href}'
    const previewer = createPreviewer({ settings: ${JSON.stringify({ ...previewSettings, timeoutMs: 60_000 })}, log: console })
    await previewer.preview(Buffer.from('warm'))
    console.log('ready')
    await previewer.preview(Buffer.from(${JSON.stringify(slowSvg.toString())}))`
  const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(server, 'exit')
  await once(server.stdout, 'data')
  const [worker] = previewWorkers(server.pid)
  expect(worker).toBeDefined()
  server.kill('SIGKILL')
  await exited
  await vi.waitFor(() => expect(isAlive(worker!)).toBe(false), patience)
})

/** CPU time, user and system, in hundredths of a second. */
function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}
