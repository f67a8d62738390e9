import { expect, test } from 'vitest'
import { createTurns } from './createTurns.ts'

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve } = Promise.withResolvers<string>()
  const state = { begun: false, end: () => resolve('done') }
  const run = () => {
    state.begun = true
    return promise
  }
  return { state, run }
}

test('behavior: one at a time of a client, two of all, in the order in which they came', async () => {
  const turns = createTurns({ atOnce: 2, ofOne: 1, waitingOfOne: 5 })
  const all = Array.from({ length: 5 }, work)
  const clients = [1n, 1n, 2n, 3n, 3n]
  const runs = all.map(({ run }, i) => turns.run(clients[i]!, run))
  const begun = () => all.map(({ state }) => state.begun)
  expect(begun()).toEqual([true, false, true, false, false])
  all[2]!.state.end()
  await runs[2]
  await expect.poll(begun).toEqual([true, false, true, true, false])
  all[0]!.state.end()
  await expect.poll(begun).toEqual([true, true, true, true, false])
  for (const { state } of all) state.end()
  expect(await Promise.all(runs)).toEqual(Array(5).fill('done'))
})

test('error: too many waiting requests of one client; those of another wait, and a failure frees its turn', async () => {
  const turns = createTurns({ atOnce: 1, ofOne: 1, waitingOfOne: 1 })
  const [first, second, third] = [work(), work(), work()]
  const running = turns.run(1n, first.run)
  const waiting = turns.run(1n, async () => {
    second.state.begun = true
    throw new Error('failed')
  })
  const other = turns.run(2n, third.run)
  await expect(turns.run(1n, async () => 'late')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    retryAfterSeconds: 1,
  })
  first.state.end()
  await running
  await expect(waiting).rejects.toThrow('failed')
  third.state.end()
  expect(await other).toBe('done')
})
