import { expect, test, vi } from 'vitest'
import { createMetrics } from '../../metrics/metrics.ts'
import type { ChangeQuery } from '../../nft/changeQuery.ts'
import type { TransferPage, TransferQuery } from '../../nft/transferQuery.ts'
import type { FollowedBlock } from '../../nft/walletQuery.ts'
import type { Hex } from '../../util/hex.ts'
import { noopLog } from '../../util/log.ts'
import { createFeeds, type Feed } from './createFeeds.ts'
import { eventStream } from './eventStream.ts'
import type { FeedState } from './feed.ts'
import type { FeedPlace } from './place.ts'

const name = { of: 'contract', chainId: 1n, address: `0x${'ab'.repeat(20)}` } as const
const hash = (n: number, fork = '0'): Hex => `0x${String(n).padStart(63, '0')}${fork}`

/** A chain with a number of transfers in each block. */
function scripted() {
  const blocks: { number: number; hash: Hex; transfers: number }[] = []
  const undone = new Map<Hex, FollowedBlock>()
  let version = 0
  let notify: () => void = () => undefined
  const reads = { pages: 0 }
  const changes: ChangeQuery = {
    async listen(onChange) {
      notify = onChange
      return async () => undefined
    },
    walletHead: async () => undefined,
    async undone(_, block) {
      const found: FollowedBlock[] = []
      let fork = block
      for (let parent = undone.get(fork.hash); parent; parent = undone.get(fork.hash)) {
        found.push(fork)
        fork = parent
      }
      return { undone: found, fork }
    },
    areCurrent: async (_, wanted) =>
      wanted.every((one) => blocks.every((block) => BigInt(block.number) !== one.number || block.hash === one.hash)),
  }
  const transfers = {
    async page({ range, after, limit }): Promise<TransferPage> {
      reads.pages++
      const all = blocks
        .filter(({ number }) => BigInt(number) <= range.to!)
        .flatMap((block) =>
          Array.from({ length: block.transfers }, (_, i) => ({
            ...{ block_number: String(block.number), block_hash: block.hash, log_index: i, item: 0 },
          })),
        )
        .filter(({ block_number, log_index }) => {
          const position = BigInt(block_number) * 1_048_576n + BigInt(log_index)
          return position > BigInt(after![0])
        })
      const page = all.slice(0, limit)
      const last = all.length > limit ? page.at(-1)! : undefined
      return {
        ...{ count: page.length, records: { toBuffer: () => Buffer.from(JSON.stringify(page)) } },
        last: last ? [String(BigInt(last.block_number) * 1_048_576n + BigInt(last.log_index)), 0] : null,
      }
    },
  } as Pick<TransferQuery, 'page'> as TransferQuery
  const state = (): FeedState => {
    const last = blocks.at(-1)
    const block = last && { number: BigInt(last.number), hash: last.hash }
    return {
      ...{ mark: String(version), identity: 'one', version: String(version), source: { of: 'chain', chainId: 1n } },
      ...{ toBlock: block?.number ?? null, block: block ?? null },
    }
  }
  const stopping = new AbortController()
  const feeds = createFeeds({ changes, transfers, read: async () => state(), signal: stopping.signal, log: noopLog })
  return {
    ...{ feeds, stopping, reads, state },
    add(number: number, count: number, fork = '0') {
      blocks.push({ number, hash: hash(number, fork), transfers: count })
      version++
      notify()
    },
    undo(number: number) {
      const removed = blocks.splice(blocks.findIndex((block) => block.number === number))
      for (const [i, { hash: own }] of removed.entries()) {
        const below = removed[i - 1] ?? blocks.at(-1)!
        undone.set(own, { number: BigInt(below.number), hash: below.hash })
      }
      version++
      notify()
    },
  }
}

type Event = { block: string; hash: Hex; reverted: boolean; transfers: unknown[]; more?: boolean }

function listen(
  feed: Feed,
  options: { place: FeedPlace; startBlock?: bigint; signal: AbortSignal; heartbeatMs?: number; stallMs?: number },
) {
  const metrics = createMetrics()
  const onEnd = vi.fn()
  const stream = eventStream({
    ...{ feed, identity: 'one', startBlock: null, metrics, onEnd, sign: ({ after }) => after.join('.') },
    isAllowed: async () => true,
    ...options,
  })
  const reader = stream.open().getReader()
  const events: Event[] = []
  let text = ''
  return {
    ...{ metrics, onEnd, reader },
    text: () => text,
    /** Returns the next event; undefined: a heartbeat, or the end. */
    async next(): Promise<Event | undefined> {
      while (events.length === 0) {
        const { done, value } = await reader.read()
        if (done) return undefined
        text = Buffer.from(value).toString()
        for (const [, data] of text.matchAll(/^data: (.*)$/gm)) events.push(JSON.parse(data!) as Event)
        if (text.startsWith(':')) return undefined
      }
      return events.shift()
    },
  }
}

const start: FeedPlace = { after: ['-1', 0], block: null }

test('behavior: a block with more transfers than one event holds continues in further events, and no other block is split', async () => {
  const chain = scripted()
  chain.add(1, 3)
  chain.add(2, 2_500)
  chain.add(3, 1)
  const feed = await chain.feeds.join(name)
  const { next, reader } = listen(feed, { place: start, signal: chain.stopping.signal })
  const sizes: [string, number, boolean | undefined][] = []
  for (let i = 0; i < 5; i++) {
    const event = await next()
    sizes.push([event!.block, event!.transfers.length, event!.more])
  }
  expect(sizes).toEqual([
    ['1', 3, undefined],
    ['2', 1_000, true],
    ['2', 1_000, true],
    ['2', 500, undefined],
    ['3', 1, undefined],
  ])
  await reader.cancel()
})

test('behavior: a listener gets reverts of undone blocks that it has received, and a resumed one of all, latest first', async () => {
  const chain = scripted()
  for (const number of [1, 2, 3]) chain.add(number, 1)
  const feed = await chain.feeds.join(name)
  const other = await chain.feeds.join(name)
  const place: FeedPlace = { after: [String(2n * 1_048_576n), 0], block: { number: 2n, hash: hash(2) } }
  const fresh = listen(feed, { place, signal: chain.stopping.signal })
  const resumed = listen(other, { place, startBlock: 2n, signal: chain.stopping.signal })
  for (const { next } of [fresh, resumed]) expect(await next()).toMatchObject({ block: '3', reverted: false })
  chain.undo(2)
  chain.add(2, 1, 'f')
  expect(await fresh.next()).toEqual({
    block: '3',
    hash: hash(3),
    version: expect.any(String),
    reverted: true,
    transfers: [],
  })
  expect(await fresh.next()).toMatchObject({ block: '2', hash: hash(2, 'f'), reverted: false })
  for (const block of ['3', '2']) expect(await resumed.next()).toMatchObject({ block, reverted: true })
  expect(await resumed.next()).toMatchObject({ block: '2', hash: hash(2, 'f') })
  for (const { reader } of [fresh, resumed]) await reader.cancel()
})

test('behavior: many listeners at one position share one database read', async () => {
  const chain = scripted()
  chain.add(1, 1)
  const all = await Promise.all(
    Array.from({ length: 50 }, async () =>
      listen(await chain.feeds.join(name), { place: start, signal: chain.stopping.signal }),
    ),
  )
  for (const { next } of all) expect(await next()).toMatchObject({ block: '1' })
  const before = chain.reads.pages
  chain.add(2, 1)
  for (const { next } of all) expect(await next()).toMatchObject({ block: '2' })
  expect(chain.reads.pages - before).toBeLessThanOrEqual(2)
  for (const { reader } of all) await reader.cancel()
})

test('behavior: a quiet feed sends heartbeats with its position, a stalled reader is disconnected, and server shutdown ends all', async () => {
  const chain = scripted()
  chain.add(1, 1)
  const { signal } = chain.stopping
  const place: FeedPlace = { after: [String(2n * 1_048_576n), 0], block: null }
  const quiet = listen(await chain.feeds.join(name), { place, signal, heartbeatMs: 1 })
  expect(await quiet.next()).toBeUndefined()
  expect(quiet.text()).toMatch(/^: \nid: \d+\.\d+\n\n$/)
  const slow = listen(await chain.feeds.join(name), { place: start, signal, stallMs: 1 })
  expect(await slow.next()).toMatchObject({ block: '1' })
  await expect.poll(() => slow.onEnd.mock.calls.length).toBe(1)
  await expect(slow.reader.read()).rejects.toThrow('takes nothing')
  expect((await slow.metrics.eventListenersCut.get()).values).toMatchObject([{ value: 1 }])
  const waiting = listen(await chain.feeds.join(name), { place, signal })
  const ended = waiting.next()
  chain.stopping.abort()
  expect(await ended).toBeUndefined()
  expect(waiting.onEnd).toHaveBeenCalledTimes(1)
  expect((await waiting.metrics.eventListeners.get()).values).toMatchObject([{ value: 0 }])
})
