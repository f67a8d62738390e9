import { expect, test } from 'vitest'
import { type RateKind, rateKinds, shownMinutes } from '../../api/admin/overview.ts'
import { createMinuteCounter } from './createMinuteCounter.ts'
import { minuteMs } from './minuteCounts.ts'

const minute = 29_700_000 * minuteMs
const totals = (some: Partial<Record<RateKind, number>>) =>
  ({ ...Object.fromEntries(rateKinds.map((kind) => [kind, 0])), ...some }) as Record<RateKind, number>

test('default: an increase counts for the minute in which it is observed', () => {
  const counter = createMinuteCounter()
  counter.see(totals({ requests: 3 }), minute + 1_000)
  counter.see(totals({ requests: 5, logs: 7 }), minute + 59_999)
  counter.see(totals({ requests: 5, logs: 8 }), minute + 60_000)
  expect(counter.unwritten()).toEqual([
    { minute, kind: 'requests', count: 5 },
    { minute, kind: 'logs', count: 7 },
    { minute: minute + minuteMs, kind: 'logs', count: 1 },
  ])
})

test('behavior: a stored count is written again in full only after it has grown', () => {
  const counter = createMinuteCounter()
  counter.see(totals({ requests: 3 }), minute)
  const stored = counter.unwritten()
  counter.see(totals({ requests: 4 }), minute)
  // These requests came during the write.
  counter.written(stored)
  expect(counter.unwritten()).toEqual([{ minute, kind: 'requests', count: 4 }])
  counter.written(counter.unwritten())
  expect(counter.unwritten()).toEqual([])
  counter.see(totals({ requests: 4 }), minute + minuteMs)
  expect(counter.unwritten()).toEqual([])
})

test('behavior: a clock that is set back continues the count of its minute', () => {
  const counter = createMinuteCounter()
  counter.see(totals({ requests: 3 }), minute)
  counter.written(counter.unwritten())
  counter.see(totals({ requests: 4 }), minute + minuteMs)
  counter.see(totals({ requests: 5 }), minute + 59_000)
  expect(counter.unwritten()).toEqual([
    { minute, kind: 'requests', count: 4 },
    { minute: minute + minuteMs, kind: 'requests', count: 1 },
  ])
})

test('behavior: minutes that are no longer shown are dropped, however long the database is unreachable', () => {
  const counter = createMinuteCounter()
  for (let n = 0; n < 3 * shownMinutes; n++) counter.see(totals({ requests: n + 1 }), minute + n * minuteMs)
  expect(counter.unwritten().length).toBe(shownMinutes)
})
