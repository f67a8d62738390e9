import type { RpcLog } from '../chain/evm/rpc.ts'
import type { Hex } from '../util/hex.ts'
import { positionOf } from './position.ts'
import type { Transfer } from './transfer.ts'

export type Standard = 'ERC721' | 'ERC1155'

/** keccak256 of the event signatures. */
export const topic = {
  /** ERC-721 and ERC-20: `Transfer(address,address,uint256)`. */
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  /** ERC-2309: `ConsecutiveTransfer(uint256,uint256,address,address)`. */
  consecutiveTransfer: '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d',
  /** ERC-1155: `TransferSingle(address,address,address,uint256,uint256)`. */
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  /** ERC-1155: `TransferBatch(address,address,address,uint256[],uint256[])`. */
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
} as const satisfies Record<string, Hex>

/** The events that move tokens, by standard; `undefined`: the standard is not known yet. */
export function transferTopics(standard: Standard | undefined): Hex[] {
  const erc721 = [topic.transfer, topic.consecutiveTransfer]
  const erc1155 = [topic.transferSingle, topic.transferBatch]
  return standard === 'ERC721' ? erc721 : standard === 'ERC1155' ? erc1155 : [...erc721, ...erc1155]
}

/**
 * Most tokens that the ConsecutiveTransfers of one call may move together: ten times what real collections mint at once,
 * and a bound on what a hostile one, whose log costs it nothing, costs us (10 µs and 500 bytes a token).
 */
export const maxConsecutive = 250_000

/** A log that was left out, for the operator. */
export type SkippedLog = { transaction: Hex; tokens: string }

/**
 * The transfers of logs, in their order. A log of another event, another standard or a broken shape moves nothing.
 * A ConsecutiveTransfer that would move more than `maxConsecutive` tokens with those before it is left out and told to
 * `onSkipped`.
 */
export function* decodeTransfers(
  logs: Iterable<RpcLog>,
  standard: Standard,
  onSkipped: (log: SkippedLog) => void,
): Generator<Transfer> {
  const budget = { left: maxConsecutive }
  for (const log of logs) {
    const first = log.topics[0]
    if (standard === 'ERC721') {
      if (first === topic.transfer) yield* decodeTransfer(log)
      else if (first === topic.consecutiveTransfer) yield* decodeConsecutive(log, budget, onSkipped)
    } else if (first === topic.transferSingle) yield* decodeSingle(log)
    else if (first === topic.transferBatch) yield* decodeBatch(log)
  }
}

/** Four topics (EIP-721), or none indexed and three words of data, as contracts from before EIP-721 have it. */
function* decodeTransfer(log: RpcLog): Generator<Transfer> {
  const [, from, to, id] = log.topics
  if (from && to && id) yield transferOf(log, 0, id.slice(2), from.slice(26), to.slice(26), '1')
  else if (isUnindexed(log)) {
    const data = log.data
    yield transferOf(log, 0, data.slice(130, 194), data.slice(26, 66), data.slice(90, 130), '1')
  }
}

/** A Transfer with nothing indexed: ERC-721 from before the standard, or an ERC-20 that forgot to index. */
export function isUnindexed(log: RpcLog): boolean {
  return log.topics.length === 1 && log.topics[0] === topic.transfer && log.data.length >= 194
}

/** The token id of an unindexed Transfer. */
export function unindexedTokenId(log: RpcLog): bigint {
  return BigInt(`0x${log.data.slice(130, 194)}`)
}

/** EIP-2309: `fromTokenId` indexed, `toTokenId` (inclusive) in the data, both addresses indexed. */
function* decodeConsecutive(
  log: RpcLog,
  budget: { left: number },
  onSkipped: (log: SkippedLog) => void,
): Generator<Transfer> {
  const [, first, from, to] = log.topics
  if (!first || !from || !to || log.data.length < 66) return
  const start = BigInt(first)
  const end = BigInt(`0x${log.data.slice(2, 66)}`)
  if (end < start) return
  if (end - start >= BigInt(budget.left)) {
    onSkipped({ transaction: log.transactionHash, tokens: String(end - start + 1n) })
    return
  }
  budget.left -= Number(end - start) + 1
  const base = transferOf(log, 0, first.slice(2), from.slice(26), to.slice(26), '1')
  let item = 0
  for (let id = start; id <= end; id++, item++) yield { ...base, item, tokenId: id.toString() }
}

function* decodeSingle(log: RpcLog): Generator<Transfer> {
  const [, operator, from, to] = log.topics
  if (!operator || !from || !to || log.data.length < 130) return
  yield transferOf(log, 0, log.data.slice(2, 66), from.slice(26), to.slice(26), decimalOf(log.data.slice(66, 130)))
}

/** Two ABI arrays of equal length; offsets and lengths are the contract's word and are checked against the data. */
function* decodeBatch(log: RpcLog): Generator<Transfer> {
  const [, operator, from, to] = log.topics
  if (!operator || !from || !to) return
  const ids = arrayAt(log.data, 0)
  const amounts = arrayAt(log.data, 1)
  if (!ids || !amounts || ids.length !== amounts.length) return
  const fromAddress = from.slice(26)
  const toAddress = to.slice(26)
  for (let i = 0; i < ids.length; i++) yield transferOf(log, i, ids[i]!, fromAddress, toAddress, decimalOf(amounts[i]!))
}

/** The words of the dynamic uint256 array whose offset stands at head slot `slot`; undefined where it leaves the data. */
function arrayAt(data: Hex, slot: number): string[] | undefined {
  const words = (data.length - 2) / 64
  const word = (index: number) => data.slice(2 + index * 64, 66 + index * 64)
  if (words < slot + 1) return undefined
  const offset = smallNumber(word(slot))
  if (offset === undefined || offset % 32 !== 0 || offset / 32 >= words) return undefined
  const length = smallNumber(word(offset / 32))
  const start = offset / 32 + 1
  if (length === undefined || start + length > words) return undefined
  return Array.from({ length }, (_, i) => word(start + i))
}

function smallNumber(word: string): number | undefined {
  return word.startsWith(zeros51) ? Number.parseInt(word.slice(51), 16) : undefined
}

const zeros51 = '0'.repeat(51)

/** Decimal digits of 64 hex digits; thirteen of them (52 bits) fit a double, which is four times as fast as a bigint. */
function decimalOf(word: string): string {
  return word.startsWith(zeros51) ? String(Number.parseInt(word.slice(51), 16)) : BigInt(`0x${word}`).toString()
}

function transferOf(log: RpcLog, item: number, id: string, from: string, to: string, amount: string): Transfer {
  return {
    position: positionOf(Number(log.blockNumber), Number(log.logIndex)),
    item,
    tokenId: decimalOf(id),
    from,
    to,
    amount,
    transactionHash: log.transactionHash.slice(2),
  }
}
