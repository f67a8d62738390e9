import { expect, test, vi } from 'vitest'
import type { AttemptResult } from '../attempt/createAttempt.ts'
import type { QueuedWebhook } from '../attempt/loadWebhooks.ts'
import type { Target } from '../attempt/target.ts'
import { type Claims, createClaims } from './claims.ts'
import { createSender, type SenderOptions } from './createSender.ts'
import { createStreamState, type SendQueue, type StreamState, sendQueueOf, setTarget } from './sendQueue.ts'

const delivered: AttemptResult = {
  at: new Date(),
  ms: 1,
  outcome: { status: 'delivered', code: 200, answer: Buffer.alloc(0) },
}

function open(options: Pick<SenderOptions, 'attempt' | 'clock'> & { settings: Partial<SenderOptions['settings']> }) {
  const claims: Claims<SendQueue> = createClaims()
  const bounds = { maxConcurrencyPerUrl: 8, maxConcurrencyPerStream: 1, maxConcurrencyUnordered: 1, maxConcurrency: 8 }
  const sender = createSender({
    ...{ ...options, claims, settings: { ...bounds, ...options.settings } },
    ...{ holds: () => true, isFull: () => false, onAttempt() {}, onFreed() {} },
    signal: new AbortController().signal,
  })
  const effects = { onWaiting: sender.queue, onWanted() {}, onDropped() {} }
  return {
    sender,
    stream: (streamId: string) => createStreamState({ partition: 7, streamId }, effects),
    load(stream: StreamState, chainId: bigint, positions: readonly bigint[]) {
      const sendQueue = sendQueueOf(stream, chainId, effects)
      const webhooks = positions.map(
        (position) => ({ chainId, position, replay: 0, failures: 0, retraction: false, body: '' }) as QueuedWebhook,
      )
      for (const webhook of webhooks) claims.take(sendQueue, webhook)
      sendQueue.change({ type: 'read' })
      sendQueue.change({ type: 'loaded', webhooks, last: undefined, more: false, nextDueAt: undefined })
    },
  }
}

function sendTo(stream: StreamState, url: string): void {
  setTarget(stream, { status: 'active', delivery: 'ordered', url, urlHash: Buffer.alloc(0) } as unknown as Target)
}

test('behavior: chains of a stream take turns if the stream allows fewer concurrent attempts than it has chains', async () => {
  const sent: string[] = []
  const { stream, load } = open({
    async attempt({ chainId, position }) {
      sent.push(`${chainId}:${position % 10n}`)
      return delivered
    },
    clock: () => 0,
    settings: { maxConcurrencyPerStream: 1 },
  })
  const own = stream('s')
  sendTo(own, 'http://receiver.example/')
  for (const chainId of [1n, 2n, 3n])
    load(
      own,
      chainId,
      [1n, 2n, 3n].map((number) => 10n * chainId + number),
    )
  await expect.poll(() => sent.length).toBe(9)
  expect(sent).toEqual(['1:1', '2:1', '3:1', '1:2', '2:2', '3:2', '1:3', '2:3', '3:3'])
})

test('behavior: a receiver URL dropped while one of its send queues waited for memory is one URL when used again', async () => {
  const answers = new Map<bigint, (result: AttemptResult) => void>()
  let now = 0
  const { sender, stream, load } = open({
    attempt: ({ position }) => new Promise((resolve) => answers.set(position, resolve)),
    clock: () => now,
    settings: { maxConcurrency: 1 },
  })
  const [other, moved, second, third] = [stream('a'), stream('b'), stream('c'), stream('d')]
  sendTo(other, 'http://other.example/')
  load(other, 1n, [1n])
  sendTo(moved, 'http://receiver.example/')
  load(moved, 1n, [2n])
  sendTo(moved, 'http://elsewhere.example/')
  // A probe got 429, and the pause is over. Nothing waits for the URL any more.
  sender.pause('http://receiver.example/', 10)
  now = 10
  sender.endPauses()
  sendTo(second, 'http://receiver.example/')
  load(second, 1n, [3n])
  for (const position of [1n, 2n]) {
    await expect.poll(() => answers.has(position)).toBe(true)
    answers.get(position)!(delivered)
  }
  await expect.poll(() => answers.has(3n)).toBe(true)
  answers.get(3n)!({ ...delivered, pauseMs: 1_000, outcome: { status: 'failed', code: 429, error: 'answered 429' } })
  await expect.poll(() => sender.paused()).toEqual(['http://receiver.example/'])
  sendTo(third, 'http://receiver.example/')
  load(third, 1n, [4n])
  expect(answers.has(4n)).toBe(false)
  now = 1_010
  sender.endPauses()
  expect(answers.has(4n)).toBe(true)
})

test('behavior: the pause of an address does not last longer if the clock of the system was ahead when it began', () => {
  const { sender } = open({ attempt: async () => delivered, settings: {} })
  const ahead = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000)
  sender.pause('http://receiver.example/', 600_000)
  ahead.mockRestore()
  expect(sender.endPauses()).toBeLessThanOrEqual(600_000)
})

test('behavior: a long pause of an address lasts a minute unless it is stored, and a stored one ends with its row', () => {
  let now = 0
  const { sender } = open({ attempt: async () => delivered, clock: () => now, settings: {} })
  const url = 'http://receiver.example/'
  sender.pause(url, 600_000)
  sender.setStored(new Map())
  expect(sender.paused()).toEqual([url])
  now = 50_000
  sender.setStored(new Map([[url, 550_000]]))
  now = 599_999
  expect(sender.endPauses()).toBe(1)
  sender.setStored(new Map())
  expect(sender.paused()).toEqual([])
  sender.pause(url, 600_000)
  now += 60_000
  expect(sender.endPauses()).toBe(Number.POSITIVE_INFINITY)
})

test('behavior: a short pause of an address after a stored one that expired lasts, although it is not stored', () => {
  let now = 0
  const attempt = () => new Promise<never>(() => undefined)
  const { sender, stream, load } = open({ attempt, clock: () => now, settings: { maxConcurrencyPerUrl: 1 } })
  const url = 'http://receiver.example/'
  for (const chainId of [1n, 2n]) {
    const own = stream(`of chain ${chainId}`)
    sendTo(own, url)
    load(own, chainId, [1n])
  }
  sender.setStored(new Map([[url, 600_000]]))
  now = 600_000
  sender.endPauses()
  sender.pause(url, 30_000)
  sender.setStored(new Map())
  expect(sender.paused()).toEqual([url])
})
