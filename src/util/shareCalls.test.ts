import { expect, test } from 'vitest'
import { shareCalls, shareNext } from './shareCalls.ts'

/** Makes work whose calls end when the test ends them. */
function startHeld() {
  const calls: { key: string; end: (error?: Error) => void }[] = []
  const shared = shareNext(
    (key) =>
      new Promise<number>((resolve, reject) => {
        const number = calls.length + 1
        calls.push({ key, end: (error) => (error ? reject(error) : resolve(number)) })
      }),
  )
  return { calls, shared }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('default: calls with one name share the running work, and failed work starts again', async () => {
  const share = shareCalls<string>()
  const held = Promise.withResolvers<string>()
  let started = 0
  const call = (name: string) =>
    share(name, () => {
      started++
      return held.promise
    })
  const calls = [call('a'), call('a'), call('b')]
  expect(started).toBe(2)
  held.reject(new Error('away'))
  for (const one of calls) await expect(one).rejects.toThrow('away')
  expect(await share('a', async () => 'again')).toBe('again')
})

test('default: a single call starts immediately, and the next one starts new work', async () => {
  const { calls, shared } = startHeld()
  const first = shared('a')
  calls[0]!.end()
  expect(await first).toBe(1)
  await settled()
  const second = shared('a')
  calls[1]!.end()
  expect(await second).toBe(2)
})

test('behavior: callers that arrive during a call share one that starts after it', async () => {
  const { calls, shared } = startHeld()
  const first = shared('a')
  const others = [shared('a'), shared('a'), shared('a')]
  await settled()
  expect(calls).toHaveLength(1)
  calls[0]!.end()
  expect(await first).toBe(1)
  await settled()
  expect(calls).toHaveLength(2)
  const later = shared('a')
  calls[1]!.end()
  expect(await Promise.all(others)).toEqual([2, 2, 2])
  await settled()
  expect(calls).toHaveLength(3)
  calls[2]!.end()
  expect(await later).toBe(3)
})

test('behavior: calls with different keys do not wait for each other', async () => {
  const { calls, shared } = startHeld()
  const [a, b] = [shared('a'), shared('b')]
  expect(calls.map(({ key }) => key)).toEqual(['a', 'b'])
  for (const { end } of calls) end()
  expect(await Promise.all([a, b])).toEqual([1, 2])
})

test('error: a failed call rejects only its own callers', async () => {
  const { calls, shared } = startHeld()
  const first = shared('a')
  const second = shared('a')
  calls[0]!.end(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await settled()
  calls[1]!.end()
  expect(await second).toBe(2)
})
