import { expect, test } from 'vitest'
import { createRecent } from './recent.ts'

/** A recent value whose reads end when the test ends them. */
function open() {
  const reads: PromiseWithResolvers<string>[] = []
  function read(): Promise<string> {
    const one = Promise.withResolvers<string>()
    reads.push(one)
    return one.promise
  }
  return { reads, recent: createRecent({ read, freshMs: 60_000 }) }
}

test('default: concurrent requests share one read, and later ones use its value while it is fresh', async () => {
  const { reads, recent } = open()
  const requested = [recent.read(), recent.read()]
  reads[0]!.resolve('first')
  expect(await Promise.all(requested)).toEqual(['first', 'first'])
  expect(await recent.read()).toBe('first')
  expect(reads.length).toBe(1)
})

test('behavior: a read that began before the value was forgotten does not serve later requests', async () => {
  const { reads, recent } = open()
  const before = recent.read()
  recent.forget()
  const later = [recent.read(), recent.read()]
  reads[0]!.resolve('old')
  expect(await before).toBe('old')
  expect(recent.fresh(performance.now())).toBeUndefined()
  await expect.poll(() => reads.length).toBe(2)
  reads[1]!.resolve('new')
  expect(await Promise.all(later)).toEqual(['new', 'new'])
  expect(await recent.read()).toBe('new')
  expect(reads.length).toBe(2)
})

test('error: a failed read is repeated, also after a forgotten one', async () => {
  const { reads, recent } = open()
  const first = recent.read()
  recent.forget()
  const second = recent.read()
  reads[0]!.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await expect.poll(() => reads.length).toBe(2)
  reads[1]!.reject(new Error('away too'))
  await expect(second).rejects.toThrow('away too')
  const third = recent.read()
  reads[2]!.resolve('there')
  expect(await third).toBe('there')
})
