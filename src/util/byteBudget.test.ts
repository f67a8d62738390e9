import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteBudget } from './byteBudget.ts'

const { signal } = new AbortController()

test('default: bytes that fit are granted immediately, and others once bytes are released, the oldest holder first', async () => {
  const budget = createByteBudget(100)
  const [first, second, third, fourth] = [budget.open(), budget.open(), budget.open(), budget.open()]
  expect(first.take(60, signal)).toBe(undefined)
  const order: string[] = []
  // One waiting holder may exceed the budget. All others wait for free bytes.
  const largeTake = second.take(50, signal)!.then(() => order.push('second'))
  const later = third.take(20, signal)!.then(() => order.push('third'))
  const last = fourth.take(1, signal)!.then(() => order.push('fourth'))
  await largeTake
  expect(budget.held()).toBe(110)
  expect(second.take(50, signal)).toBe(undefined)
  expect(order).toEqual(['second'])
  first.close()
  await Promise.all([later, last])
  expect(order).toEqual(['second', 'third', 'fourth'])
  for (const holder of [second, third, fourth]) holder.close()
  expect(budget.held()).toBe(0)
})

test('behavior: bytes that one share holds and waits for leave room for another share', async () => {
  const budget = createByteBudget(100)
  const greedy = budget.share()
  const [first, exceeding, ...others] = Array.from({ length: 16 }, greedy.open)
  expect(first!.take(70, signal)).toBe(undefined)
  await exceeding!.take(100, signal)
  const waits = others.map((holder) => holder.take(100, signal)!)
  const good = budget.share()
  const [small, large] = [good.open(), good.open()]
  for (let i = 0; i < 4; i++) expect(small.take(5, signal)).toBe(undefined)
  small.close()
  // Several holders request more than is free. The holder of the share that was served longest ago is next.
  const order: string[] = []
  const largeTake = large.take(90, signal)!.then(() => order.push('good'))
  void waits[0]!.then(() => order.push('greedy'))
  exceeding!.close()
  await largeTake
  expect(order).toEqual(['good'])
  large.close()
  await waits[0]
  for (const holder of [first!, ...others]) holder.close()
  expect(budget.held()).toBe(0)
})

test('error: a holder aborted while it waits gets the reason, and the others continue', async () => {
  const budget = createByteBudget(10)
  const [full, big, stopped, last] = [budget.open(), budget.open(), budget.open(), budget.open()]
  full.take(5, signal)
  await big.take(10, signal)
  const stop = new AbortController()
  const waits = stopped.take(5, stop.signal)
  const goesOn = last.take(1, signal)
  stop.abort(new Error('enough'))
  await expect(waits).rejects.toThrow('enough')
  await goesOn
  stopped.close()
  big.close()
  full.close()
  expect(budget.held()).toBe(1)
})

test('behavior: holders that want more than the budget all finish, and never hold more than the budget plus one request', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(2), fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 })), { maxLength: 12 }),
      async (wants) => {
        const budget = createByteBudget(50)
        const shares = Array.from({ length: 3 }, budget.share)
        let most = 0
        await Promise.all(
          wants.map(async ([share, parts]) => {
            const holder = shares[share]!.open()
            for (const part of parts) {
              await holder.take(part, signal)
              most = Math.max(most, budget.held())
              await Promise.resolve()
            }
            holder.close()
          }),
        )
        expect(budget.held()).toBe(0)
        expect(most).toBeLessThanOrEqual(50 + 6 * 40)
      },
    ),
  )
})
