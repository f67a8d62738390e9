import { expect, test, vi } from 'vitest'
import { address } from '../../../test/evmSource.ts'
import { patience } from '../../../test/patience.ts'
import type { CompiledStream } from './compileStream.ts'
import { createStreamIndex } from './createStreamIndex.ts'

const stream = (id: string, allAddresses = false) => ({ id, definition: { allAddresses } }) as CompiledStream

test('default: an address has the slots of the streams that watch it until each stream unwatches it', () => {
  const index = createStreamIndex()
  const [a, b, c] = ['a', 'b', 'c'].map((id) => index.put(stream(id))) as [number, number, number]
  const [shared, own] = [address(1), address(2)]
  for (const slot of [a, b, c, b]) index.watch(slot, [shared])
  index.watch(a, [own])
  expect(index.watching(shared)).toEqual([a, b, c])
  index.unwatch(b, [shared])
  expect(index.watching(shared)).toEqual([a, c])
  index.unwatch(a, [shared])
  expect(index.watching(shared)).toBe(c)
  expect(index.watching(own)).toBe(a)
  index.unwatch(a, [shared])
  expect(index.watching(shared)).toBe(c)
  index.unwatch(c, [shared])
  expect(index.watching(shared)).toBeUndefined()
  expect(index.size()).toBe(1)
})

test('behavior: removing a stream frees its addresses immediately, and its slot once no address refers to it', async () => {
  const index = createStreamIndex()
  const [removed, staying] = [index.put(stream('leaving', true)), index.put(stream('staying'))]
  const addresses = Array.from({ length: 50_000 }, (_, i) => address(i + 1))
  const last = addresses.at(-1)!
  index.watch(removed, addresses)
  index.watch(staying, [last])
  expect(index.all).toEqual(new Set([removed]))
  index.remove('leaving')
  expect([...index.all]).toEqual([])
  expect(index.find('leaving')).toBeUndefined()
  expect(index.slots[removed]).toBeUndefined()
  expect(index.watching(addresses.at(-2)!)).toBeUndefined()
  expect(index.watching(last)).toEqual([staying])
  // Addresses of the removed stream still refer to its slot.
  expect(index.size()).toBeGreaterThan(1)
  const early = index.put(stream('early'))
  expect([removed, staying]).not.toContain(early)
  await vi.waitUntil(() => index.size() === 1, patience)
  expect(index.watching(last)).toBe(staying)
  await vi.waitUntil(() => {
    const later = index.put(stream(`later ${index.slots.length}`))
    return later === removed
  }, patience)
  expect(index.watching(last)).toBe(staying)
})
