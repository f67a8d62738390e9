import { expect, test } from 'vitest'
import { describeError } from './errors.ts'

test('behavior: a cause that the message already names is not repeated', () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:1')
  expect(describeError(new Error(`eth_chainId on local: ${cause.message} (unreachable)`, { cause }))).toBe(
    'eth_chainId on local: connect ECONNREFUSED 127.0.0.1:1 (unreachable)',
  )
  expect(describeError(new Error('the head cannot be read', { cause }))).toBe(
    'the head cannot be read: connect ECONNREFUSED 127.0.0.1:1',
  )
})
