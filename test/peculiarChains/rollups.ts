import { toHex } from 'viem'
import { word } from '../evmSource.ts'
import { RpcFailure } from '../rpcServer.ts'
import { deposit, isLogs, noBits, notFound, widthOf, withFields, without } from './fields.ts'
import type { Peculiarity } from './peculiarity.ts'

/** Calls that the node has already received once. */
const bobaRequests = new WeakMap<object, Set<string>>()

/** Chains that settle on another chain. */
export const rollups: readonly Peculiarity[] = [
  {
    chain: 'arbitrum',
    what: 'blocks of the parent chain in headers and receipts',
    source: 'Arbitrum documentation, "RPC methods" (arbitrum-vs-ethereum)',
    block: withFields({ l1BlockNumber: '0x174914e', sendCount: '0x1', sendRoot: word(6) }),
    receipts: (receipts) =>
      receipts.map(withFields({ gasUsedForL1: '0x0', l1BlockNumber: '0x174914e', timeboosted: false, type: '0x6a' })),
  },
  {
    chain: 'base',
    what: 'deposits without a signature',
    source: 'Optimism specification, "Deposits" (transaction type 0x7e)',
    transaction: deposit,
  },
  {
    chain: 'optimism',
    what: 'fees of the parent chain and a deposit nonce in receipts, one of them no hex',
    source: 'blockscout/blockscout#7963, wevm/viem#4817',
    transaction: deposit,
    receipts: (receipts) =>
      receipts.map(
        withFields({
          depositNonce: '0x1',
          depositReceiptVersion: '0x1',
          l1Fee: '0x0',
          l1FeeScalar: '0.684',
          l1GasPrice: '0x1',
        }),
      ),
  },
  {
    chain: 'linea',
    what: 'a range of few blocks refused by its number of blocks',
    source: 'wighawag/etherfold, docs/spikes ("range 16777216 exceeds limit of 10000")',
    answer: (call) =>
      widthOf(call) > 2 ? new RpcFailure(-32602, `range ${widthOf(call)} exceeds limit of 2`) : undefined,
  },
  {
    chain: 'zksync',
    what: 'a bloom in a block without transactions, batches that are null',
    source: 'matter-labs/zksync-era#4580',
    block: (block) => ({
      ...block,
      l1BatchNumber: null,
      l1BatchTimestamp: null,
      logsBloom: block.logsBloom === noBits ? toHex(255n << 1_000n, { size: 256 }) : block.logsBloom,
    }),
    log: withFields({ l1BatchNumber: null, transactionLogIndex: '0x0', logType: null }),
    receipts: (receipts) => receipts.map(withFields({ l2ToL1Logs: [], l1BatchTxIndex: null, root: word(7) })),
  },
  {
    chain: 'scroll',
    what: 'messages of the parent chain without a signature, a cap without a number',
    source:
      'scroll-tech/go-ethereum, core/types/l1_message_tx.go; wighawag/etherfold ("block range is bigger than maxBlockRange")',
    transaction: { type: '0x7e', queueIndex: '0x5' },
    answer: (call) =>
      widthOf(call) > 2 ? new RpcFailure(-32000, 'block range is bigger than maxBlockRange') : undefined,
  },
  {
    chain: 'blast',
    what: 'no receipts of a block, total difficulty omitted',
    source:
      'ethereum-optimism/op-geth, core/types/deposit_tx.go; ethereum/execution-apis (eth_getBlockReceipts is optional for gateways)',
    block: without('totalDifficulty', 'size'),
    transaction: deposit,
    answer: (call) => (call.method === 'eth_getBlockReceipts' ? notFound(call) : undefined),
  },
  {
    chain: 'arbitrum before nitro',
    what: 'no block of the parent chain in headers, no receipts of a block, fees of the old kind in receipts',
    source: 'OffchainLabs/nitro#2962, OffchainLabs/nitro#1811, OffchainLabs/nitro#515',
    block: without('size', 'totalDifficulty'),
    receipts: (receipts) => receipts.map(withFields({ feeStats: { prices: {} }, l1SequenceNumber: '0x5' })),
    answer: (call) => (call.method === 'eth_getBlockReceipts' ? notFound(call) : undefined),
  },
  {
    chain: 'boba',
    what: 'no logs at first of a block that has some',
    source: 'bobanetwork/boba_legacy#239',
    answer(call, chain) {
      if (!isLogs(call)) return undefined
      const key = JSON.stringify(call.params)
      const requested = bobaRequests.get(chain) ?? new Set<string>()
      bobaRequests.set(chain, requested)
      if (requested.has(key)) return undefined
      requested.add(key)
      return []
    },
  },
]
