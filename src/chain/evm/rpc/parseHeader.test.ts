import { expect, test } from 'vitest'
import { parseHeader } from './parseHeader.ts'

const hash = `0x${'ab'.repeat(32)}`
const block = { number: '0x10', hash, parentHash: hash, timestamp: '0x65000000', logsBloom: null, transactions: [] }

test('error: rejects a header whose number or time exceeds the database range', () => {
  const most = `0x7${'f'.repeat(15)}`
  expect(parseHeader({ ...block, timestamp: most })).toMatchObject({ number: 16n, timestamp: 2n ** 63n - 1n })
  for (const beyond of [`0x8${'0'.repeat(15)}`, `0x${'f'.repeat(16)}`, `0x1${'0'.repeat(16)}`, '-0x1', '0x', 1.5]) {
    expect(parseHeader({ ...block, timestamp: beyond })).toBeUndefined()
    expect(parseHeader({ ...block, number: beyond })).toBeUndefined()
  }
})
