import { expect, onTestFinished, test, vi } from 'vitest'
import { createWaker, isWokenFor, unlessAborted } from './wait.ts'

test('error: work that fails after its signal has aborted ends no process as a rejection without a handler', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))
  const reason = new Error('over')
  await expect(unlessAborted(Promise.reject(new Error('late')), AbortSignal.abort(reason))).rejects.toBe(reason)
  // Node reports rejections without a handler once all microtasks have run.
  await new Promise(setImmediate)
  expect(unhandled).not.toHaveBeenCalled()
})

test('default: a waker says for which keys it was woken, once, and for all where one wake names none', () => {
  const waker = createWaker()
  expect(waker.wokenFor()).toEqual(new Set())
  waker.wake(1n)
  waker.wake(2n)
  const woken = waker.wokenFor()
  expect(woken).toEqual(new Set([1n, 2n]))
  expect([1n, 2n, 3n].map((key) => isWokenFor(woken, key))).toEqual([true, true, false])
  expect(waker.wokenFor()).toEqual(new Set())
  waker.wake(1n)
  waker.wake()
  waker.wake(2n)
  expect(waker.wokenFor()).toBe('all')
})
