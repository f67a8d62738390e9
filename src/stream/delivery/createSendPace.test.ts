import { expect, onTestFinished, test, vi } from 'vitest'
import { patience } from '../../../test/patience.ts'
import { createSendPace } from './createSendPace.ts'

function open(pauseMs: () => number) {
  const pauses: number[] = []
  let resumed = 0
  const pace = createSendPace({ pauseMs, onPause: (ms) => pauses.push(ms), onResumed: () => resumed++ })
  onTestFinished(pace.close)
  const send = (count: number) => {
    for (let i = 0; i < count; i++) pace.count()
  }
  return { pace, send, pauses, resumed: () => resumed }
}

test('default: webhooks do not pause while requests are on time', () => {
  const { pace, send, pauses } = open(() => 0)
  send(1_000)
  expect([pace.isPaused(), pauses]).toEqual([false, []])
})

test('behavior: while requests are late, webhooks pause after every eight, for at most a quarter of a second', async () => {
  const { pace, send, pauses, resumed } = open(() => 1_000)
  send(7)
  expect(pace.isPaused()).toBe(false)
  send(1)
  expect([pace.isPaused(), pauses]).toEqual([true, [250]])
  await vi.waitUntil(() => resumed() === 1, patience)
  expect(pace.isPaused()).toBe(false)
  send(8)
  expect(pauses).toEqual([250, 250])
})
