import { expect, test } from 'vitest'
import type { RpcLog, RpcReceipt, RpcTransaction } from '../../chain/evm/rpc/rpc.ts'
import type { FollowedBlock } from '../../sync/blockHandler.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { compileStream } from '../match/compileStream.ts'
import { definitionSchema } from '../streamDefinition.ts'
import { webhookPayload } from './webhookPayload.ts'

const hash: Hex = `0x${'2'.repeat(64)}`
const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`

test('behavior: a zero that a node encodes as 0x is 0, and the payload has every balance, however many', async () => {
  const logs = Array.from(
    { length: 2_500 },
    (_, i): RpcLog => ({
      address: address(i),
      topics: [],
      data: '0x',
      blockNumber: '0x1',
      blockHash: hash,
      transactionHash: hash,
      transactionIndex: '0x0',
      logIndex: `0x${i.toString(16)}`,
    }),
  )
  const transaction = { hash, from: address(1), to: null, v: '0x', r: '0x', s: '0x0', gas: '0x5' }
  const requested: number[] = []
  const block: Partial<FollowedBlock> = {
    header: { number: 1n, hash, parentHash: hash, timestamp: 1n, logsBloom: null, transactionCount: 1 },
    transactions: async () => [transaction as unknown as RpcTransaction],
    receipts: async () => [{ transactionHash: hash, status: '0x1' } as unknown as RpcReceipt],
    balances: async (addresses) => {
      requested.push(addresses.length)
      return addresses.map((one) => BigInt(one) * 2n)
    },
  }
  const definition = definitionSchema.parse({ getNativeBalances: [{ selectors: ['$address'], type: 'log' }] })
  const stream = compileStream({ id: 'a', partition: 0, chainId: 1n, tag: '', definition, fromBlock: 0n })
  const [payload, ...others] = await webhookPayload(
    { stream, logs, transactions: new Set([hash]), internalTransfers: [] },
    block as FollowedBlock,
    { reader: { read: async () => new Map() }, maxBytes: 5_000_000, pace: async () => undefined },
  )
  expect(others).toEqual([])
  const { txs, nativeBalances } = JSON.parse(payload!.body) as { txs: object[]; nativeBalances: object[] }
  expect(txs).toMatchObject([{ v: '0', r: '0', s: '0', gas: '5', gasPrice: null }])
  expect(nativeBalances).toEqual(logs.map((log, i) => ({ address: log.address, balance: String(2 * i) })))
  expect(Math.max(...requested)).toBeLessThanOrEqual(1_000)
})
