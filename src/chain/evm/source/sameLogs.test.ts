import { expect, test } from 'vitest'
import { address, word } from '../../../../test/evmSource.ts'
import { quantity } from '../../../util/hex.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import { joinLogs, lackingIn } from './sameLogs.ts'

const common: Pick<RpcLog, 'address' | 'topics' | 'data' | 'blockNumber' | 'blockHash'> = {
  address: address(1),
  topics: [],
  data: '0x',
  blockNumber: '0x5',
  blockHash: word(5),
}

const log = (index: number, transaction = index): RpcLog => ({
  ...common,
  transactionHash: quantity(transaction),
  transactionIndex: quantity(transaction),
  logIndex: quantity(index),
})

test('default: an added log with a taken index gets one after the last', () => {
  const beside = [log(1, 7), log(4, 8)]
  expect(joinLogs([log(0), log(1), log(2)], beside)).toEqual([log(0), log(1), log(2), log(4, 8), log(5, 7)])
})

test('behavior: a block may have more logs than a function call accepts arguments', () => {
  const logs = Array.from({ length: 130_000 }, (_, i) => log(i))
  const beside = lackingIn([], logs)
  expect(beside).toHaveLength(logs.length)
  const joined = joinLogs([log(3, 1)], beside)
  expect(joined).toHaveLength(logs.length + 1)
  expect(joined.at(-1)).toMatchObject({ logIndex: quantity(logs.length), transactionHash: quantity(3) })
})
