import { expect, test } from 'vitest'
import { holdClock } from '../../../test/holdClock.ts'
import { createSignInCodes } from './signInCodes.ts'

test('default: a code works once', () => {
  const codes = createSignInCodes()
  const code = codes.issue()
  expect(codes.redeem('no code')).toBe(false)
  expect(codes.redeem(code)).toBe(true)
  expect(codes.redeem(code)).toBe(false)
})

test('behavior: a code works for a minute, in the process that issued it', () => {
  const clock = holdClock()
  const codes = createSignInCodes()
  const [first, second] = [codes.issue(), codes.issue()]
  expect(createSignInCodes().redeem(first)).toBe(false)
  clock.advance(59_999)
  expect(codes.redeem(first)).toBe(true)
  clock.advance(1)
  expect(codes.redeem(second)).toBe(false)
})

test('behavior: of many codes the latest hundred work', () => {
  const codes = createSignInCodes()
  const issued = Array.from({ length: 101 }, codes.issue)
  expect(codes.redeem(issued[0]!)).toBe(false)
  expect(codes.redeem(issued[1]!)).toBe(true)
  expect(codes.redeem(issued[100]!)).toBe(true)
})
