import { expect, test } from 'vitest'
import type { WholeState } from '../../../nft/walletQuery.ts'
import { reportWhole } from './reportWhole.ts'

const block = { number: 20n, hash: `0x${'ab'.repeat(32)}` } as const
const state: WholeState = {
  ...{
    partition: 1,
    id: 2n,
    complete: true,
    shownAt: null,
    hasTabled: false,
    status: 'live',
    reason: null,
    isRequestedLongAgo: false,
  },
  ...{ fromBlock: 0n, toBlock: 20n, progress: 1, oversizedLogs: 0n, transfers: 3n, block, headBlock: 20n },
  ...{ head: { ageMs: 1_000, maxAgeMs: 60_000 }, synced: true },
}

const shownAt = (report: ReturnType<typeof reportWhole>, now: number) => {
  const { status, headers } = report.at(now)
  const pairs = Array.from({ length: headers.length / 2 }, (_, i) => headers.slice(2 * i, 2 * i + 2))
  const shown = Object.fromEntries(pairs) as Record<string, string>
  return [status, shown['x-index-status'], shown['x-index-progress'], shown['x-index-failure']]
}

test('behavior: a wallet whose head was not confirmed in time is no longer synced, and reports the reason', () => {
  const report = reportWhole(state, 5_000)
  expect(shownAt(report, 64_000)).toEqual(['SYNCED', 'synced', '1', undefined])
  expect(shownAt(report, 64_001)).toEqual([
    ...['SYNCING', 'syncing', '0.999'],
    expect.stringContaining('no node has confirmed the head'),
  ])
})
