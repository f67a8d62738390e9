import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noChange, withResult } from './successRates.ts'

test('default: a run of results changes a success rate like the same results one by one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 50, max: 100 }), fc.array(fc.boolean(), { maxLength: 40 }), (start, results) => {
      const run = results.reduce(withResult, noChange)
      const stepwise = results.reduce((rate, delivered) => (delivered ? Math.min(100, rate + 1) : rate - 1), start)
      expect(Math.min(run.cap, start + run.change)).toBe(stepwise)
    }),
  )
})
