import { expect, test } from 'vitest'
import { describeError, errorCode } from './errors.ts'

test('behavior: a cause that the message already contains is not repeated', () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:1')
  expect(describeError(new Error(`eth_chainId on local: ${cause.message} (unreachable)`, { cause }))).toBe(
    'eth_chainId on local: connect ECONNREFUSED 127.0.0.1:1 (unreachable)',
  )
  expect(describeError(new Error('the head cannot be read', { cause }))).toBe(
    'the head cannot be read: connect ECONNREFUSED 127.0.0.1:1',
  )
})

test('behavior: returns the code of an error, the first code of several errors, and no invalid code', () => {
  const of = (code: unknown) => Object.assign(new Error(), { code })
  expect(errorCode(of('ECONNREFUSED'))).toBe('ECONNREFUSED')
  expect(errorCode(new AggregateError([of('EACCES'), of('EPERM')]))).toBe('EACCES')
  for (const none of [of(5), of('no code'), new Error(), 'text', null]) expect(errorCode(none)).toBeUndefined()
})
