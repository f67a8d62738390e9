import { expect, test } from 'vitest'
import type { DecodedRange } from '../../chain/evm/source/requestLogs.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import { createLog } from '../../util/log.ts'
import { readEarly } from './earlyRead.ts'
import type { PreparedLogs } from './prepareLogs.ts'

const subject = {
  partition: 7,
  id: 1n,
  chainId: 1n,
  address: `0x${'5a'.repeat(20)}`,
  form: null,
  coins: false,
} as const
const answer = { logs: [], to: 9n, toHash: '0x09' } as const

/** Reads early, and returns the requested ranges and the answer for the whole range. */
async function readRange(range: BlockRange) {
  const requested: [bigint, bigint][] = []
  const source = {
    async logs({ from, to }: BlockRange) {
      requested.push([from, to])
      return answer as unknown as DecodedRange<never>
    },
  }
  const { signal } = new AbortController()
  const log = createLog({ level: 'silent', mask: (text) => text })
  const early = readEarly({ source, decoding: { decoderOf: () => undefined as never }, log, signal }, subject, range)
  return { requested, taken: await early?.take(range, (_: PreparedLogs) => false) }
}

test('default: the first logs of a range are requested once', async () => {
  expect(await readRange({ from: 2n, to: 9n })).toEqual({ requested: [[2n, 9n]], taken: answer })
})

test('behavior: no logs are requested of a contract that was deployed after the final block', async () => {
  expect(await readRange({ from: 2n, to: 0n })).toEqual({ requested: [], taken: undefined })
})
