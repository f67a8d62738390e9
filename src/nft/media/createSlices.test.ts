import { expect, test } from 'vitest'
import { createSlices, type Slice } from './createSlices.ts'

/** Slices on a clock of the test, and the order in which requests got theirs. */
function table(count = 2) {
  let time = 0
  const slices = createSlices({
    things: Array.from({ length: count }, (_, i) => i),
    quantumMs: 1_000,
    longestMs: 10_000,
    now: () => time,
  })
  const order: string[] = []
  const held = new Map<string, Slice<number>>()
  return {
    order,
    held,
    pass(ms: number) {
      time += ms
    },
    request(name: string, payers: string[], signal?: AbortSignal): Promise<void> {
      return slices.take(payers, signal).then((slice) => {
        order.push(name)
        held.set(name, slice)
      })
    },
    async end(name: string): Promise<void> {
      held.get(name)!.end()
      held.delete(name)
      // The next request gets its slice in a microtask or two.
      for (let i = 0; i < 5; i++) await Promise.resolve()
    },
  }
}

test('default: requests up to the number of slots get slices immediately, and the others in order of arrival', async () => {
  const { request, end, order } = table()
  await Promise.all([request('a', ['x']), request('b', ['y'])])
  const later = [request('c', ['z']), request('d', ['w'])]
  expect(order).toEqual(['a', 'b'])
  await end('a')
  await end('b')
  await Promise.all(later)
  expect(order).toEqual(['a', 'b', 'c', 'd'])
})

test('behavior: the request whose payer used the least time is next, even if it came last to a long queue', async () => {
  const { request, end, order, pass } = table(1)
  await request('a1', ['a'])
  for (const name of ['a2', 'a3', 'a4']) void request(name, ['a'])
  void request('b1', ['b'])
  void request('b2', ['b'])
  pass(400)
  await end('a1')
  pass(10)
  await end('b1')
  pass(10)
  await end('b2')
  expect(order).toEqual(['a1', 'b1', 'b2', 'a2'])
})

test('behavior: a collection with many hosts or a host with many collections gets only one share of slices', async () => {
  const { request, end, order, pass } = table(1)
  await request('first', ['hostile', 'host-0'])
  for (let i = 1; i < 4; i++) void request(`hosts-${i}`, ['hostile', `host-${i}`])
  for (let i = 1; i < 4; i++) void request(`collections-${i}`, [`other-${i}`, 'host-0'])
  void request('innocent', ['innocent', 'elsewhere'])
  void request('neighbour', ['neighbour', 'host-0'])
  pass(9_000)
  await end('first')
  expect(order).toEqual(['first', 'innocent'])
})

test('behavior: on a host that all share, the collection decides who is next', async () => {
  const { request, end, order, pass } = table(1)
  await request('h1', ['hostile', 'host'])
  void request('h2', ['hostile', 'host'])
  void request('innocent', ['innocent', 'host'])
  pass(9_000)
  await end('h1')
  expect(order).toEqual(['h1', 'innocent'])
})

test('behavior: a long slice is preempted if payers of a waiting request used less time, but never the first slice', async () => {
  const { request, held, pass } = table()
  await request('h1', ['hostile', 'host'])
  await request('h2', ['hostile', 'host'])
  void request('h3', ['hostile', 'host'])
  pass(5_000)
  void request('h4', ['hostile', 'host'])
  // Only requests of the same payers wait.
  expect(held.get('h2')!.preempted.aborted).toBe(false)
  void request('innocent', ['innocent', 'host'])
  expect([held.get('h1')!.preempted.aborted, held.get('h2')!.preempted.aborted]).toEqual([false, true])
})

test('behavior: no slice is preempted before its quantum, or if there is only one slot', async () => {
  const two = table()
  await two.request('h1', ['hostile'])
  await two.request('h2', ['hostile'])
  two.pass(999)
  void two.request('innocent', ['innocent'])
  expect(two.held.get('h2')!.preempted.aborted).toBe(false)
  const one = table(1)
  await one.request('h1', ['hostile'])
  one.pass(5_000)
  void one.request('innocent', ['innocent'])
  expect(one.held.get('h1')!.preempted.aborted).toBe(false)
})

test('behavior: a payer accumulates no credit while it is idle', async () => {
  const { request, end, order, pass } = table(1)
  await request('a1', ['a'])
  pass(60_000)
  await end('a1')
  await request('a2', ['a'])
  for (const name of ['b1', 'b2', 'b3']) void request(name, ['b'])
  void request('a3', ['a'])
  pass(100)
  await end('a2')
  pass(200)
  await end('b1')
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('behavior: a request that is aborted while it waits is skipped', async () => {
  const { request, end, order } = table(1)
  await request('a', ['a'])
  const stop = new AbortController()
  const withdrawn = request('b', ['b'], stop.signal)
  void request('c', ['c'])
  stop.abort(new Error('not wanted'))
  await expect(withdrawn).rejects.toThrow('not wanted')
  await end('a')
  expect(order).toEqual(['a', 'c'])
})

test('behavior: time before a slice starts its clock is not charged, and the time of one slice counts for the next', async () => {
  const { request, end, held, order, pass } = table(1)
  await request('h1', ['hostile'])
  pass(9_000)
  await end('h1')
  await request('a1', ['a'])
  pass(5_000)
  held.get('a1')!.startClock()
  for (const name of ['a2', 'a3']) void request(name, ['a'])
  void request('h2', ['hostile'])
  void request('b1', ['b'])
  pass(10)
  await end('a1')
  pass(20)
  for (const name of ['b1', 'a2', 'a3']) await end(name)
  expect(order).toEqual(['h1', 'a1', 'b1', 'a2', 'a3', 'h2'])
})
