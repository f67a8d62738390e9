import { expect, onTestFinished, test, vi } from 'vitest'
import { createWaker, isWokenFor, unlessAborted } from './wait.ts'

test('error: work that fails after its signal has aborted causes no unhandled rejection', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))
  const reason = new Error('over')
  await expect(unlessAborted(Promise.reject(new Error('late')), AbortSignal.abort(reason))).rejects.toBe(reason)
  // Node reports rejections without a handler once all microtasks have run.
  await new Promise(setImmediate)
  expect(unhandled).not.toHaveBeenCalled()
})

test('default: a waker returns the keys it was woken for once, or all keys if one wake has none', () => {
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
