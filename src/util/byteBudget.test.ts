import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteBudget } from './byteBudget.ts'

const { signal } = new AbortController()

test('default: bytes that fit are held at once, others when room was given back, the oldest holder first', async () => {
  const budget = createByteBudget(100)
  const [first, second, third] = [budget.open(), budget.open(), budget.open()]
  expect(first.take(90, signal)).toBe(undefined)
  const order: string[] = []
  // The oldest that waits may exceed the budget; all others wait for room.
  const wide = second.take(50, signal)!.then(() => order.push('second'))
  const later = third.take(5, signal)!.then(() => order.push('third'))
  await wide
  expect(budget.held()).toBe(140)
  expect(order).toEqual(['second'])
  second.close()
  await later
  expect(order).toEqual(['second', 'third'])
  first.close()
  third.close()
  expect(budget.held()).toBe(0)
})

test('error: a holder that is stopped while it waits gets the reason, and others go on', async () => {
  const budget = createByteBudget(10)
  const [full, wide, stopped, last] = [budget.open(), budget.open(), budget.open(), budget.open()]
  full.take(10, signal)
  await wide.take(10, signal)
  const stop = new AbortController()
  const waits = stopped.take(5, stop.signal)
  const goesOn = last.take(5, signal)
  stop.abort(new Error('enough'))
  await expect(waits).rejects.toThrow('enough')
  stopped.close()
  wide.close()
  full.close()
  await goesOn
  expect(budget.held()).toBe(5)
})

test('behavior: holders that all want more than there is come to an end, and never hold more than the budget and one of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }), { maxLength: 12 }),
      async (wants) => {
        const budget = createByteBudget(50)
        let most = 0
        await Promise.all(
          wants.map(async (parts) => {
            const holder = budget.open()
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
