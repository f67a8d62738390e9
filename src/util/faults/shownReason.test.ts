import { expect, test } from 'vitest'
import { BadRequestError, UnavailableError } from '../errors.ts'
import { shownReason } from './shownReason.ts'

const withCode = (message: string, code: unknown) => Object.assign(new Error(message), { code })

test('default: our own errors are shown with their message and the messages of their own causes', () => {
  const cause = new BadRequestError('too wide', { cause: new Error('k3y') })
  expect(shownReason(new UnavailableError('the node does not answer', { cause }))).toBe(
    'the node does not answer: too wide',
  )
})

test('behavior: any other error shows only its code', () => {
  expect(shownReason(new Error('k3y'))).toBe('internal error, see the log')
  expect(shownReason('k3y')).toBe('internal error, see the log')
  expect(shownReason(withCode('k3y', 'ERR_INVALID_URL'))).toBe('internal error (ERR_INVALID_URL), see the log')
  expect(shownReason(withCode('k3y', '22P05'))).toBe('refused by the database (22P05), see the log')
  expect(shownReason(withCode('k3y', '54000'))).toBe('refused by the database (54000), see the log')
  expect(shownReason(withCode('k3y', 'k3y with spaces'))).toBe('internal error, see the log')
  expect(shownReason(withCode('k3y', 16))).toBe('internal error, see the log')
  const rejected = withCode('connect ECONNREFUSED 10.0.0.1:1', 'ECONNREFUSED')
  expect(shownReason(new AggregateError([rejected]))).toBe('internal error (ECONNREFUSED), see the log')
  expect(shownReason(new UnavailableError('x.example does not answer', { cause: rejected }))).toBe(
    'x.example does not answer: connection refused',
  )
})

test('behavior: a full disk is shown as the reason', () => {
  expect(shownReason(new UnavailableError('not now', { cause: withCode('k3y', 'ENOSPC') }))).toBe(
    'the disk of dataDir is full',
  )
})
