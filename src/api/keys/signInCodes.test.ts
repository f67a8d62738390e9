import { expect, test } from 'vitest'
import { holdClock } from '../../../test/holdClock.ts'
import { createSignInCodes } from './signInCodes.ts'

const open = async () => true

test('default: a sign-in code works once', async () => {
  const codes = createSignInCodes()
  const code = codes.issue()
  expect(await codes.redeem('no code', open)).toBe(undefined)
  expect(await codes.redeem(code, open)).toBe(true)
  expect(await codes.redeem(code, open)).toBe(undefined)
})

test('error: a code whose session could not be opened still works, once and only within its minute', async () => {
  const clock = holdClock()
  const codes = createSignInCodes()
  const code = codes.issue()
  const gate = Promise.withResolvers<never>()
  const first = codes.redeem(code, () => gate.promise)
  expect(await codes.redeem(code, open)).toBe(undefined)
  gate.reject(new Error('the database is unreachable'))
  await expect(first).rejects.toThrow('the database is unreachable')
  expect(await codes.redeem(code, open)).toBe(true)
  expect(await codes.redeem(code, open)).toBe(undefined)
  const late = codes.issue()
  await expect(codes.redeem(late, () => gate.promise)).rejects.toThrow()
  clock.advance(60_000)
  expect(await codes.redeem(late, open)).toBe(undefined)
})

test('behavior: a code works for one minute, and only in the process that issued it', async () => {
  const clock = holdClock()
  const codes = createSignInCodes()
  const [first, second] = [codes.issue(), codes.issue()]
  expect(await createSignInCodes().redeem(first, open)).toBe(undefined)
  clock.advance(59_999)
  expect(await codes.redeem(first, open)).toBe(true)
  clock.advance(1)
  expect(await codes.redeem(second, open)).toBe(undefined)
})

test('behavior: only the latest hundred codes work', async () => {
  const codes = createSignInCodes()
  const issued = Array.from({ length: 101 }, codes.issue)
  expect(await codes.redeem(issued[0]!, open)).toBe(undefined)
  expect(await codes.redeem(issued[1]!, open)).toBe(true)
  expect(await codes.redeem(issued[100]!, open)).toBe(true)
})
