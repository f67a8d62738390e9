import { expect, test } from 'vitest'
import type { AptosTransaction } from '../chain/aptos/source.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { noopLog } from '../util/log.ts'
import type { Network } from './createNetwork.ts'
import { readRange } from './readRange.ts'

/** A network whose source returns one batch with these transactions. */
function networkOf(transactions: AptosTransaction[]): Network {
  const source = {
    rangeWidth: 100n,
    probesHead: false,
    has: async () => true,
    ledger: async () => ({ chainId: 1, head: 99n, oldest: 0n }),
    async *read({ from, to = 99n }: { from: bigint; to?: bigint }) {
      yield { chainId: 1, from, to, head: 99n, transactions }
    },
    close: async () => undefined,
  }
  return {
    ...{ id: 1, name: 'mainnet', source, rangesInFlight: 1, rangeWidth: 100n, maxHeadAgeMs: 60_000 },
    check: source.ledger,
    close: source.close,
  }
}

test('behavior: a batch can hold more coins than a function call can take arguments', async () => {
  const data = { decimals: 8, name: 'Coin', symbol: 'C', supply: { vec: [] } }
  const writes = Array.from({ length: 130_000 }, (_, i) => ({
    ...{ address: '0xa', type: `0x1::coin::CoinInfo<0xa::many::C${i}>`, data },
  }))
  const network = networkOf([
    { version: 7n, kind: 'user', success: true, timestampMicros: 0n, writes, deleted: [], items: [] },
  ])
  const options = { network, metrics: createMetrics(), log: noopLog }
  const { coins } = await readRange(options, { from: 0n, to: 99n }, new AbortController().signal)
  expect(coins).toHaveLength(130_000)
})
