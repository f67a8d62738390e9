import { toHex } from 'viem'
import {
  asNumbers,
  filterOf,
  inCapitals,
  isLogs,
  isTagRejected,
  notFound,
  nullForNone,
  numberedByTransaction,
  padded,
  systemTransaction,
  withFields,
  without,
  withRemovedLog,
  withSystemLog,
} from './fields.ts'
import type { Fields, Peculiarity } from './peculiarity.ts'

/** Nodes whose responses use unusual block numbers or formats. */
export const ownForms: readonly Peculiarity[] = [
  {
    chain: 'smartbch',
    what: 'null where no log matches',
    source: 'smartbch/smartbch#67',
    answer: nullForNone,
  },
  {
    chain: 'flow by earlier gateways',
    what: 'null where no log of a block matches, logs of each receipt counted from 0',
    source: 'onflow/flow-evm-gateway#695',
    receipts: numberedByTransaction,
    answer: nullForNone,
  },
  {
    chain: 'vechain',
    what: 'logs of each transaction counted from 0, times in logs',
    source: 'vechain/thor#1117',
    log: (log) => ({ ...log, logIndex: '0x0', blockTimestamp: '0x6553f1d0' }),
    receipts: numberedByTransaction,
  },
  {
    chain: 'oasis sapphire',
    what: 'logs counted from 0 in each transaction, transaction indexes with gaps',
    source: 'oasisprotocol/oasis-web3-gateway#172, oasisprotocol/oasis-web3-gateway#786',
    log: (log) => ({ ...log, logIndex: '0x0', transactionIndex: toHex(Number(log.transactionIndex) * 2 + 1) }),
  },
  {
    chain: 'early geth',
    what: 'every log has index 0',
    source: 'ethereum/go-ethereum#1226',
    log: withFields({ logIndex: '0x0' }),
    receipts: (receipts) =>
      receipts.map((receipt) => ({
        ...receipt,
        logs: (receipt.logs as Fields[]).map(withFields({ logIndex: '0x0' })),
      })),
  },
  {
    chain: 'polygon by erigon',
    what: 'the log of the state sync transaction under the index of another log',
    source: 'erigontech/erigon#16339',
    systemLog: true,
    answer(call, chain) {
      const logs = withSystemLog(call, chain, systemTransaction)
      if (!Array.isArray(logs)) return logs
      return logs.map((log: Fields) => (log.transactionHash === systemTransaction ? { ...log, logIndex: '0x1' } : log))
    },
  },
  {
    chain: 'neon',
    what: 'empty data is an empty text',
    source: 'neonevm/proxy-model.py#1074',
    log: withFields({ data: '' }),
  },
  {
    chain: 'loom',
    what: 'empty data is 0x0',
    source: 'loomnetwork/loomchain#1371, oasisprotocol/oasis-core#427',
    log: withFields({ data: '0x0' }),
  },
  {
    chain: 'ganache',
    what: 'leading zeros in the quantities of logs, blocks and receipts',
    source: 'ConsenSys-archive/ganache#73, ConsenSys-archive/ganache#103',
    block: padded('number', 'timestamp'),
    log: padded('blockNumber', 'logIndex', 'transactionIndex'),
  },
  {
    chain: 'hedera by earlier relays',
    what: 'numbers of JSON in the place of quantities',
    source: 'hiero-ledger/hiero-json-rpc-relay#99, hiero-ledger/hiero-json-rpc-relay#337',
    block: asNumbers('number', 'timestamp'),
    log: asNumbers('blockNumber', 'logIndex', 'transactionIndex'),
    transaction: { type: '0x0' },
  },
  {
    chain: 'a gateway with capitals',
    what: 'hashes, addresses and topics in capitals',
    source: 'blockchain-etl/ethereum-etl#352',
    block: inCapitals,
    log: inCapitals,
    receipts: inCapitals,
  },
  {
    chain: 'filecoin after a reorganisation',
    what: 'logs of the undone fork beside the others, as removed',
    source: 'filecoin-project/lotus#12584, graphprotocol/graph-node#5661',
    answer: withRemovedLog,
  },
  {
    chain: 'filecoin by earlier nodes',
    what: 'blooms of no bytes',
    source: 'filecoin-project/ref-fvm#1212',
    block: withFields({ logsBloom: '0x' }),
  },
  {
    chain: 'harmony',
    what: 'addresses of another kind, difficulty and nonce as numbers, staking transactions beside the others',
    source: 'harmony-one/harmony#3732',
    block: withFields({
      difficulty: 0,
      nonce: 0,
      epoch: '0x222',
      miner: 'one1gh043zc95e6mtutwy5a2zhvsxv7lnlklkj42ux',
      stakingTransactions: [],
    }),
  },
  {
    chain: 'kaia',
    what: 'no receipts of a block by older nodes, a random value in headers, no mixHash',
    source: 'klaytn/klaytn#1121, klaytn/klaytn#2019, kaiachain/kaia#189',
    block: (block) => ({ ...without('mixHash')(block), extraData: '0x', randomReveal: `0x${'ef'.repeat(96)}` }),
    answer: (call) => (call.method === 'eth_getBlockReceipts' ? notFound(call) : undefined),
  },
  {
    chain: 'moonbeam',
    what: 'no logs instead of a fault for the hash of a block that the node has not',
    source: 'polkadot-evm/frontier#1069',
    answer(call, chain) {
      const { blockHash } = filterOf(call)
      return isLogs(call) && blockHash && !chain.blocks.some(({ hash }) => hash === blockHash) ? [] : undefined
    },
  },
  {
    chain: 'conflux',
    what: 'blocks of another space between those of this one: numbers of transactions that skip some, no finalized tag',
    source: 'Conflux-Chain/conflux-rust#2361, Conflux-Chain/conflux-rust#2605',
    log: (log) => ({ ...log, transactionIndex: toHex(Number(log.transactionIndex) + 3), transactionLogIndex: '0x0' }),
    answer: isTagRejected('Invalid params: unknown block tag', -32602),
  },
  {
    chain: 'tron',
    what: 'no logs by the hash of an old block, times in logs as their only addition',
    source: 'tronprotocol/java-tron#4987, tronprotocol/java-tron#6671',
    log: withFields({ blockTimestamp: '0x3e8' }),
    answer(call, chain) {
      const block = chain.blocks.find(({ hash }) => hash === filterOf(call).blockHash)
      return isLogs(call) && block && block.number < 7 ? [] : undefined
    },
  },
  {
    chain: 'kardia',
    what: 'old blocks without a bloom',
    source: 'kardiachain/go-kardia#143',
    block: (block) => (Number(block.number) < 8 ? without('logsBloom')(block) : block),
  },
  {
    chain: 'kakarot',
    what: 'null for the receipts of a block without transactions',
    source: 'kkrt-labs/kakarot-rpc#821',
    answer(call, chain) {
      const block = chain.blocks.find(({ hash }) => hash === call.params[0])
      return call.method === 'eth_getBlockReceipts' && block?.logs.length === 0 ? null : undefined
    },
  },
]
