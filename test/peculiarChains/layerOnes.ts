import { toHex } from 'viem'
import { word } from '../evmSource.ts'
import { RpcFailure } from '../rpcServer.ts'
import {
  allOnes,
  filterOf,
  isLogs,
  isTagRejected,
  noBits,
  numberedByTransaction,
  systemBlock,
  systemTransaction,
  widthOf,
  withExtraBits,
  withFields,
  without,
  withShortLog,
  withSystemLog,
} from './fields.ts'
import type { Peculiarity } from './peculiarity.ts'

/** Layer 1 chains and development nodes. */
export const layerOnes: readonly Peculiarity[] = [
  {
    chain: 'eth',
    what: 'fields of later forks in headers, the time of the block in logs',
    source: 'ethereum/execution-apis, src/schemas/block.yaml and receipt.yaml',
    block: withFields({
      withdrawals: [],
      withdrawalsRoot: word(2),
      blobGasUsed: '0x0',
      excessBlobGas: '0x0',
      parentBeaconBlockRoot: word(3),
      requestsHash: word(4),
    }),
    log: withFields({ blockTimestamp: '0x6553f1d0' }),
  },
  {
    chain: 'goerli',
    what: 'proof of authority: a long extraData, no mixHash, no base fee',
    source: 'EIP-225 (Clique)',
    block: (block) => ({
      ...block,
      extraData: `0x${'ab'.repeat(97)}`,
      difficulty: '0x2',
      mixHash: toHex(0, { size: 32 }),
      nonce: '0x0000000000000000',
    }),
  },
  {
    chain: 'sepolia',
    what: 'no finalized block yet',
    source: 'ethereum/go-ethereum, eth/api_backend.go ("finalized block not found")',
    answer: isTagRejected('finalized block not found'),
  },
  {
    chain: 'polygon',
    what: 'a state sync transaction with logs that is in no list, has no receipt and is not in the bloom',
    source: '0xPolygon/bor#90, 0xPolygon/bor#519',
    systemLog: true,
    answer: (call, chain) => withSystemLog(call, chain, systemTransaction),
  },
  {
    chain: 'mumbai',
    what: 'receipts of a block refused over the state sync receipt',
    source: '0xPolygon/bor#1654 ("receipts length mismatch: 1 vs 0")',
    answer: (call) =>
      call.method === 'eth_getBlockReceipts' ? new RpcFailure(-32000, 'receipts length mismatch: 1 vs 0') : undefined,
  },
  {
    chain: 'bsc',
    what: 'times in milliseconds beside those in seconds',
    source: 'bnb-chain/BEPs, BEP-520 (milliTimestamp)',
    block: withFields({ milliTimestamp: '0x18bcfe56800', totalDifficulty: '0x2' }),
  },
  {
    chain: 'bsc testnet',
    what: 'eth_getLogs switched off by hash, and "limit exceeded" said of it',
    source: 'bnb-chain/bsc#1215',
    answer: (call) => (isLogs(call) && filterOf(call).blockHash ? new RpcFailure(-32005, 'limit exceeded') : undefined),
  },
  {
    chain: 'avalanche',
    what: 'fields of atomic transactions and block gas, blocks past the accepted one refused',
    source: 'ava-labs/coreth, internal/ethapi/api.go; wighawag/etherfold ("cannot query unfinalized data")',
    block: withFields({ extDataHash: word(5), blockExtraData: '0x', extDataGasUsed: '0x0', blockGasCost: '0x0' }),
    answer: (call, chain) =>
      call.method === 'eth_getBlockByNumber' && Number(call.params[0]) >= chain.blocks.length
        ? new RpcFailure(-32000, 'cannot query unfinalized data')
        : undefined,
  },
  {
    chain: 'fantom',
    what: 'no finalized tag, epoch and time in nanoseconds in headers',
    source: 'Fantom-foundation/go-opera, ethapi/api.go (RPCMarshalHeader)',
    block: withFields({ epoch: '0x3f2', timestampNano: '0x17974aee3c1b8800' }),
    answer: isTagRejected('invalid argument 0: hex string without 0x prefix', -32602),
  },
  {
    chain: 'palm',
    what: 'IBFT 2.0: extraData of all validators and their seals',
    source: 'Hyperledger Besu documentation, "IBFT 2.0", extra data',
    block: withFields({
      extraData: `0x${'cd'.repeat(1_200)}`,
      mixHash: `0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365`,
    }),
  },
  {
    chain: 'cronos',
    what: 'logs by hash are empty unless an address is named, and blooms hold logs of failed transactions',
    source: 'evmos/ethermint#861, subsquid/squid-sdk#460',
    block: withExtraBits,
    answer: (call) => (isLogs(call) && filterOf(call).blockHash && !filterOf(call).topics?.length ? [] : undefined),
  },
  {
    chain: 'gnosis',
    what: 'AuRa: step and signature in place of mixHash and nonce, the reason of a refusal in data alone',
    source: 'NethermindEth/nethermind, AuRa block RPC; wighawag/etherfold ("Try with this block range")',
    block: (block) => ({
      ...without('mixHash', 'nonce')(block),
      author: word(8).slice(0, 42),
      step: '355',
      signature: 'ab'.repeat(65),
    }),
    answer: (call) =>
      widthOf(call) > 2
        ? new RpcFailure(
            -32602,
            'invalid params',
            'Query returned more than 50000 results. Try with this block range [0x1000000, 0x1000001].',
          )
        : undefined,
  },
  {
    chain: 'celo',
    what: 'headers without uncles, difficulty, gas limit, mixHash, nonce; system logs under the hash of the block',
    source: 'celo-org/celo-blockchain#1945, celo-org/celo-blockchain#1628, celo-org/celo-blockchain#2295',
    systemLog: true,
    block: without('sha3Uncles', 'uncles', 'difficulty', 'gasLimit', 'mixHash', 'nonce', 'baseFeePerGas'),
    answer: (call, chain) => withSystemLog(call, chain, chain.blocks[systemBlock]!.hash),
  },
  {
    chain: 'filecoin',
    what: 'blooms of all ones, numbers without a block, logs numbered by message in receipts',
    source:
      'ChainSafe/forest#7151, filecoin-project/lotus#10882, filecoin-project/lotus#12633, filecoin-project/lotus#12254',
    block: withFields({ logsBloom: allOnes }),
    receipts: numberedByTransaction,
    absent: [6, 9],
    answer: (call) =>
      call.method === 'eth_getBlockByNumber' && [6, 9].includes(Number(call.params[0]))
        ? new RpcFailure(12, `requested epoch was a null round (${Number(call.params[0])})`)
        : undefined,
  },
  {
    chain: 'filecoin by other nodes',
    what: 'null for a number without a block',
    source: 'filecoin-project/lotus#12529',
    absent: [6, 9],
    answer: (call) =>
      call.method === 'eth_getBlockByNumber' && [6, 9].includes(Number(call.params[0])) ? null : undefined,
  },
  {
    chain: 'sei',
    what: 'blooms that hold logs of the other machine, which no answer gives',
    source: 'sei-protocol/sei-chain#2230, sei-protocol/sei-chain#2268',
    block: withExtraBits,
  },
  {
    chain: 'ronin',
    what: 'a refusal by range in data alone',
    source: 'wighawag/etherfold, docs/spikes ("requested block range 16777217 exceeds the limit of 200")',
    answer: (call) =>
      widthOf(call) > 2
        ? new RpcFailure(
            -32602,
            'Invalid params',
            `requested block range ${widthOf(call)} exceeds the limit of 2; narrow your fromBlock/toBlock`,
          )
        : undefined,
  },
  {
    chain: 'private geth',
    what: 'null for the finalized tag',
    source: 'ethereum/go-ethereum, internal/ethapi/api.go (GetBlockByNumber gives null where there is none)',
    answer: (call) => (call.params[0] === 'finalized' ? null : undefined),
  },
  {
    chain: 'besu',
    what: 'the finalized tag unknown, revert reasons and roots in receipts, removed omitted',
    source: 'Hyperledger Besu documentation, "QBFT" and JSON-RPC (eth_getTransactionReceipt: revertReason)',
    log: without('removed'),
    receipts: (receipts) => receipts.map(withFields({ revertReason: '0x', root: word(9) })),
    answer: isTagRejected('Unknown block', -39_001),
  },
  {
    chain: 'anvil',
    what: 'logs with fewer topics than places, ranges past the head cut',
    source: 'foundry-rs/foundry, crates/anvil (trailing null topics match anything)',
    answer: (call, chain) => (isLogs(call) ? withShortLog(call, chain) : undefined),
  },
  {
    chain: 'hardhat',
    what: 'neither receipts of a block nor logs by hash alone',
    source: 'NomicFoundation/hardhat, JSON-RPC methods of Hardhat Network',
    answer: (call) =>
      call.method === 'eth_getBlockReceipts'
        ? new RpcFailure(-32_004, `Method ${call.method} is not supported`)
        : undefined,
  },
  {
    chain: 'cosmos evm',
    what: 'logs of each transaction counted from 0',
    source: 'cosmos/evm#1086',
    log: withFields({ logIndex: '0x0' }),
  },
  {
    chain: 'flow',
    what: 'logs of each receipt counted from 0',
    source: 'onflow/flow-evm-gateway#461',
    receipts: numberedByTransaction,
    answer: (call) => (isLogs(call) && filterOf(call).blockHash ? [] : undefined),
  },
  {
    chain: 'aurora',
    what: 'blooms that are always empty',
    source: 'aurora-is-near/aurora-relayer#271',
    block: withFields({ logsBloom: noBits }),
  },
  {
    chain: 'a gateway without blooms',
    what: 'no bloom in the header',
    source:
      'paritytech/frontier and gateways of other machines leave logsBloom null for pending blocks (ethereum/execution-apis, Block)',
    block: withFields({ logsBloom: null }),
  },
]
