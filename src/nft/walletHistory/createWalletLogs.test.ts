import { expect, test } from 'vitest'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { LogRange } from '../../chain/evm/source/source.ts'
import { quantity } from '../../util/hex.ts'
import { createWalletLogs } from './createWalletLogs.ts'

test('default: filters whose responses cover different ranges request no block twice and return each log once, in order', async () => {
  const requested: LogRange[] = []
  const log = (block: bigint, logIndex: bigint) =>
    ({ blockNumber: quantity(block), logIndex: quantity(logIndex) }) as RpcLog
  const source = {
    async logs(range: LogRange) {
      requested.push(range)
      // The place of the wallets among the topics identifies the filter. Each filter has another limit of blocks.
      const width = [4n, 9n, 100n][range.topics.findIndex((place, i) => i > 0 && place !== null) - 1]!
      const to = range.from + width - 1n < range.to ? range.from + width - 1n : range.to
      const logs = []
      for (let block = range.from; block <= to; block++) logs.push(log(block, width), log(block, 1n))
      return { logs, to, toHash: '0x' as const }
    },
  }
  const reader = createWalletLogs(source, ['77'.repeat(20)])
  const found: string[] = []
  for (let from = 0n; from <= 29n; ) {
    const { logs, to } = await reader.read({ from, to: 29n }, new AbortController().signal)
    for (const { blockNumber, logIndex } of logs) found.push(`${Number(blockNumber)} ${Number(logIndex)}`)
    from = to + 1n
  }
  const whole = Array.from({ length: 30 }, (_, block) => [1, 4, 9, 100].map((index) => `${block} ${index}`)).flat()
  expect(found).toEqual(whole)
  for (const ranges of Map.groupBy(
    requested,
    ({ topics }) => topics.length + topics.findIndex((p, i) => i > 0 && p),
  ).values()) {
    const starts = ranges.map(({ from }) => from)
    expect(new Set(starts).size).toBe(starts.length)
  }
})
