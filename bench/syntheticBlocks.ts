import { keccak256 } from 'viem'
import { blockHash, firstBlock, type SyntheticLogs } from './syntheticLogs.ts'

/** Blocks above the last one with logs. They are not final, so the service follows them one by one. */
export const unfinalizedBlocks = 64

const noHash = `0x${'0'.repeat(64)}`

export type SyntheticBlocks = {
  head: number
  finalized: number
  /** JSON text of a block; null beyond the head. */
  block(number: number, withTransactions: boolean): string
  receipts(number: number): string
  /** Number of a block by its hash; undefined if no such block exists. */
  numberOf(hash: string): number | undefined
}

/** Computes headers from the block number, with correct blooms. Only blocks with logs have transactions, one for each log. */
export function createSyntheticBlocks(logs: SyntheticLogs, blocks: number): SyntheticBlocks {
  const finalized = firstBlock + blocks - 1
  const head = finalized + unfinalizedBlocks
  const hex = (value: number) => `0x${value.toString(16)}`

  /** Three bits of 2,048 for the address and each topic (yellow paper, 4.3.1). */
  const bitsOf = new Map<string, number[]>()
  function bits(value: string): number[] {
    let found = bitsOf.get(value)
    if (!found) {
      const digest = Buffer.from(keccak256(value as `0x${string}`).slice(2), 'hex')
      found = [0, 2, 4].map((i) => digest.readUInt16BE(i) & 2047)
      bitsOf.set(value, found)
    }
    return found
  }
  function bloom(entries: ReturnType<SyntheticLogs['parse']>[]): string {
    const bytes = Buffer.alloc(256)
    for (const value of entries.flatMap((log) => [logs.address, ...log.topics]))
      for (const bit of bits(value)) bytes[255 - (bit >> 3)]! |= 1 << (bit & 7)
    return `0x${bytes.toString('hex')}`
  }
  function entriesOf(number: number) {
    const { first, end } = logs.between(number, number)
    return Array.from({ length: end - first }, (_, i) => logs.parse(first + i))
  }

  return {
    head,
    finalized,
    block(number, withTransactions) {
      if (number > head || number < 0) return 'null'
      const entries = entriesOf(number)
      const transactions = entries.map((log) =>
        withTransactions
          ? {
              hash: log.transactionHash,
              blockNumber: hex(number),
              transactionIndex: log.transactionIndex,
              from: logs.address,
              to: logs.address,
              value: '0x0',
              input: '0x',
            }
          : log.transactionHash,
      )
      return JSON.stringify({
        number: hex(number),
        hash: blockHash(number),
        parentHash: number === 0 ? noHash : blockHash(number - 1),
        timestamp: hex(1_600_000_000 + (number - firstBlock) * 12),
        logsBloom: bloom(entries),
        transactionsRoot: noHash,
        stateRoot: noHash,
        receiptsRoot: noHash,
        miner: logs.address,
        gasLimit: '0x1c9c380',
        gasUsed: '0xb71b00',
        baseFeePerGas: '0x3b9aca00',
        extraData: '0x',
        transactions,
        uncles: [],
      })
    },
    receipts(number) {
      if (number > head || number < 0) return 'null'
      const { first } = logs.between(number, number)
      const receipts = entriesOf(number).map(
        (log, i) =>
          `{"transactionHash":"${log.transactionHash}","transactionIndex":"${log.transactionIndex}","blockNumber":"${hex(number)}","blockHash":"${blockHash(number)}","status":"0x1","logsBloom":"${bloom([log])}","logs":[${logs.text(first + i, first + i + 1).toString('latin1')}]}`,
      )
      return `[${receipts.join(',')}]`
    },
    numberOf(hash) {
      const number = Number.parseInt(hash.slice(-16), 16)
      return blockHash(number) === hash && number <= head ? number : undefined
    },
  }
}
