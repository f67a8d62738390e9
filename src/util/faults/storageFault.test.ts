import { expect, test } from 'vitest'
import { isNodeLost, storageFault } from './storageFault.ts'

const errorOf = (code: string, message: string) => Object.assign(new Error(message), { code })

// Messages of Citus 13.0.5 coordinators while a node or their own server was stopped.
test.each([
  ['XX000', 'failure on connection marked as essential: 127.0.0.1:26451'],
  ['XX000', 'SSL SYSCALL error: EOF detected'],
  ['XX000', 'postmaster was shut down, exiting'],
  ['58030', 'failed to complete COPY on 127.0.0.1:26451'],
])('behavior: %s, "%s", is classified as a lost node, and not as a disk fault', (code, message) => {
  const error = errorOf(code, message)
  expect([isNodeLost(error), storageFault(error)]).toEqual([true, undefined])
})

test('behavior: other internal errors and disk errors are not classified as a lost node', () => {
  const faulty = errorOf('58030', 'could not write block 7 of relation base/5/16384: Input/output error')
  expect([isNodeLost(faulty), storageFault(faulty)?.disk]).toEqual([false, 'database'])
  expect(isNodeLost(errorOf('XX000', 'duplicate key value violates unique constraint "transfer_pkey"'))).toBe(false)
  expect(isNodeLost(errorOf('42601', 'SSL SYSCALL error: EOF detected'))).toBe(false)
})
