import { toHex } from 'viem'
import type { Address, Hex } from '../../src/util/hex.ts'
import { accounts } from './drawActivity.ts'
import type { WorldBlock } from './worldChain.ts'

/** A transaction of a block. Each log has its own. Its hash decides its numbers. */
export type WorldTransaction = {
  hash: Hex
  index: number
  from: Address
  to: Address
  value: bigint
  nonce: bigint
  gasUsed: bigint
  isGood: boolean
}

type Log = { address: Address; transactionHash: Hex }

export function transactionsOf(block: WorldBlock): WorldTransaction[] {
  return (block.logs as Log[]).map(({ address, transactionHash }, index) => {
    const drawn = BigInt(transactionHash)
    return {
      ...{ hash: transactionHash, index, to: address, from: accounts[Number(drawn % BigInt(accounts.length))]! },
      // Some have no value, and some a value with more digits than a JavaScript number holds.
      value: drawn % 3n === 0n ? 0n : drawn % 10n ** 25n,
      nonce: drawn % 1_000n,
      gasUsed: 21_000n + (drawn % 100_000n),
      isGood: drawn % 7n !== 0n,
    }
  })
}

/** A transaction as a node returns it in a block with whole transactions. */
export function rpcTransaction(block: WorldBlock, { hash, index, from, to, value, nonce }: WorldTransaction) {
  return {
    ...{ hash, blockHash: block.hash, blockNumber: toHex(block.number), transactionIndex: toHex(index), from, to },
    ...{
      value: toHex(value),
      nonce: toHex(nonce),
      gas: toHex(1_000_000),
      gasPrice: toHex(7),
      input: '0x',
      type: '0x2',
    },
    ...{ v: '0x1', r: toHex(1, { size: 32 }), s: toHex(2, { size: 32 }) },
  }
}

/** The fields of its receipt besides the logs. */
export const rpcReceipt = ({ index, gasUsed, isGood }: WorldTransaction) => ({
  transactionIndex: toHex(index),
  cumulativeGasUsed: toHex(gasUsed),
  gasUsed: toHex(gasUsed),
  contractAddress: null,
  status: isGood ? '0x1' : '0x0',
})
