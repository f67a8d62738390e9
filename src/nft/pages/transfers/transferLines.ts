import { type Address, bufferToHex, type Hex } from '../../../util/hex.ts'
import { latestSecond, nameOfBlock, type TimesOfBlocks, type UntimedBlock } from '../../blocks/createBlockTimes.ts'
import type { CollectionState } from '../../query.ts'
import type { TransferPlace } from '../../transferQuery.ts'
import {
  blockAt,
  constant,
  logIndexAt,
  numericBytes,
  write,
  writeNumber,
  writeNumeric,
  writeQuotedHex,
} from '../rows/writeText.ts'
import { columnOf, createRow, isVerified, type Row, spamFlag } from './transferRow.ts'

const {
  position,
  item,
  blockTime,
  transactionIndex,
  tokenId,
  amount,
  from,
  to,
  operator,
  transactionHash,
  blockHash,
  partition,
  collectionId,
  collection,
} = columnOf

const toId = constant('{"token_id":"')
const afterId = constant('",')
const ofErc721 = constant(',"contract_type":"ERC721"')
const ofErc1155 = constant(',"contract_type":"ERC1155"')
const toFrom = constant(',"from_address":')
const toTo = constant(',"to_address":')
const toAmount = constant(',"amount":"')
const toBlock = constant('","block_number":"')
const toBlockHash = constant('","block_hash":')
const toTime = constant(',"block_timestamp":"')
const toTransaction = constant('","transaction_hash":')
const toTransactionIndex = constant(',"transaction_index":')
const toLog = constant(',"log_index":')
const toItem = constant(',"item":')
const toOperator = constant(',"operator":')
const toEnd = constant(',"value":null}')
const none = constant('null')
const toSecondsEnd = constant('.000Z')
const comma = ','.charCodeAt(0)
const colon = ':'.charCodeAt(0)
const zero = '0'.charCodeAt(0)

/** Upper bound of names, 64-bit numbers and the time in a record. */
const bytesOfRecord = 640
/** Two hex digits per byte. */
const bytesOfByte = 2

const daySeconds = 86_400

/** Collection fields of a record, without a trailing comma. */
export function collectionMembers(
  address: Address,
  { verified, possibleSpam }: Pick<CollectionState, 'verified' | 'possibleSpam'>,
): Buffer {
  return Buffer.from(`"token_address":"${address}","verified":${verified},"possible_spam":${possibleSpam}`)
}

/** The single collection of all transfers with its fields; or `row`: the bytes of each transfer contain its own. */
export type CollectionOfTransfers = { text: Buffer; partition: number; id: bigint } | 'row'

export type TransferLines = {
  /** The records as JSON separated by commas, in the memory of `take`. */
  bytes: Buffer
  /** Their end. */
  end: number
  count: number
  /** Place of the last transfer within the limit, if more were found; null: no more. */
  last: TransferPlace | null
  /** Blocks without a known time; if there are any, the records are incomplete. */
  untimed: UntimedBlock[]
}

/**
 * Writes the records of the first `limit` transfers in `rows`. They have only hex, digits and fixed texts, so need no escaping. `take` allocates
 * memory. `times`: of blocks whose time is not in the rows.
 */
export function writeTransferLines(
  rows: Buffer,
  options: {
    limit: number
    hex: boolean
    items?: boolean
    of: CollectionOfTransfers
    take: (size: number) => Buffer
    times: TimesOfBlocks
  },
): TransferLines {
  const { limit, hex, items = false, of, take, times } = options
  const row = createRow(rows)
  const shown: number[] = []
  const untimed = new Map<string, UntimedBlock>()
  let most = 0
  let found = 0
  let last: TransferPlace | null = null
  for (let at = 0; at < rows.length; ) {
    const next = row.read(at)
    if (found < limit) {
      shown.push(at)
      most += bytesOfRecord + bytesOfByte * (next - at)
      most += numericBytes(rows, row.start(tokenId)) + numericBytes(rows, row.start(amount))
      if (row.isNull(blockTime) && !times.has(blockNameIn(row))) addUntimed(untimed, row, of)
    }
    found++
    if (found === limit) last = placeIn(row)
    at = next
  }
  const bytes = take(most)
  const textOf = createTextOf(of)
  const writeTime = createWriteTime()
  let at = 0
  for (const start of shown) {
    row.read(start)
    if (at > 0) bytes[at++] = comma
    at = writeRecord(bytes, at, row, { hex, items, textOf, writeTime, times })
  }
  return { bytes, end: at, count: shown.length, last: found > limit ? last : null, untimed: [...untimed.values()] }
}

function placeIn(row: Row): TransferPlace {
  return [String(row.bytes.readBigInt64BE(row.start(position))), row.bytes.readInt32BE(row.start(item))]
}

function addUntimed(untimed: Map<string, UntimedBlock>, row: Row, of: CollectionOfTransfers): void {
  const { bytes } = row
  const key =
    of === 'row'
      ? {
          partition: bytes.readInt16BE(row.start(partition)),
          collectionId: bytes.readBigInt64BE(row.start(collectionId)),
        }
      : { partition: of.partition, collectionId: of.id }
  const number = BigInt(blockAt(bytes, row.start(position)))
  const hash = blockHashIn(row)
  untimed.set(`${key.collectionId} ${nameOfBlock(number, hash)}`, { ...key, number, hash })
}

function blockNameIn(row: Row): string {
  return nameOfBlock(blockAt(row.bytes, row.start(position)), blockHashIn(row))
}

function blockHashIn(row: Row): Hex {
  return bufferToHex(row.bytes.subarray(row.start(blockHash), row.end(blockHash)))
}

/** Writes seconds since 1970 as ISO 8601; a page usually covers few days. */
type WriteTime = (to: Buffer, at: number, seconds: number) => number

function createWriteTime(): WriteTime {
  let known = Number.NaN
  let date = none
  return (to, start, given) => {
    const seconds = Math.min(given, latestSecond)
    const day = Math.floor(seconds / daySeconds)
    if (day !== known) {
      known = day
      date = constant(new Date(day * daySeconds * 1_000).toISOString().slice(0, 'YYYY-MM-DDT'.length))
    }
    const ofDay = seconds - day * daySeconds
    let at = writeTwo(to, write(to, start, date), Math.floor(ofDay / 3_600))
    to[at++] = colon
    at = writeTwo(to, at, Math.floor(ofDay / 60) % 60)
    to[at++] = colon
    return write(to, writeTwo(to, at, ofDay % 60), toSecondsEnd)
  }
}

function writeTwo(to: Buffer, at: number, number: number): number {
  to[at] = zero + Math.floor(number / 10)
  to[at + 1] = zero + (number % 10)
  return at + 2
}

function writeRecord(
  target: Buffer,
  start: number,
  row: Row,
  {
    hex,
    items,
    textOf,
    writeTime,
    times,
  }: { hex: boolean; items: boolean; textOf: TextOf; writeTime: WriteTime; times: TimesOfBlocks },
): number {
  const { bytes } = row
  const writeColumn = (at: number, column: number) =>
    writeQuotedHex(target, at, bytes, row.start(column), row.end(column))
  let at = write(target, start, toId)
  at = hex ? writeHexId(target, at, row) : writeNumeric(target, at, bytes, row.start(tokenId))
  at = write(target, at, afterId)
  at += textOf(row).copy(target, at)
  at = write(target, at, row.isNull(operator) ? ofErc721 : ofErc1155)
  at = writeColumn(write(target, at, toFrom), from)
  at = writeColumn(write(target, at, toTo), to)
  at = writeNumeric(target, write(target, at, toAmount), bytes, row.start(amount))
  at = writeNumber(target, write(target, at, toBlock), blockAt(bytes, row.start(position)))
  at = writeColumn(write(target, at, toBlockHash), blockHash)
  at = write(target, at, toTime)
  const seconds = row.isNull(blockTime) ? times.get(blockNameIn(row)) : secondsIn(row)
  at = seconds === undefined ? write(target, at, none) : writeTime(target, at, Number(seconds))
  at = writeColumn(write(target, at, toTransaction), transactionHash)
  at = write(target, at, toTransactionIndex)
  at = row.isNull(transactionIndex)
    ? write(target, at, none)
    : writeNumber(target, at, bytes.readInt32BE(row.start(transactionIndex)))
  at = writeNumber(target, write(target, at, toLog), logIndexAt(bytes, row.start(position)))
  if (items) at = writeNumber(target, write(target, at, toItem), bytes.readInt32BE(row.start(item)))
  at = write(target, at, toOperator)
  at = row.isNull(operator) ? write(target, at, none) : writeColumn(at, operator)
  return write(target, at, toEnd)
}

/** A time may exceed the precision of a number, but such a time is not shown. */
function secondsIn(row: Row): number {
  const at = row.start(blockTime)
  return row.bytes.readInt32BE(at) * 2 ** 32 + row.bytes.readUInt32BE(at + 4)
}

function writeHexId(target: Buffer, at: number, row: Row): number {
  const end = writeNumeric(target, at, row.bytes, row.start(tokenId))
  const id = BigInt(target.toString('latin1', at, end))
  return at + target.write(`0x${id.toString(16)}`, at, 'latin1')
}

/** Collection fields of a page's few collections, by their identifying bytes. */
type TextOf = (row: Row) => Buffer

function createTextOf(of: CollectionOfTransfers): TextOf {
  if (of !== 'row') return () => of.text
  const known = new Map<string, Buffer>()
  return (row) => {
    const [start, facts] = [row.start(collection), row.end(collection) - 1]
    const key = row.bytes.toString('latin1', start, facts + 1)
    let text = known.get(key)
    if (!text) {
      const has = (which: number) => (row.bytes[facts]! & which) !== 0
      text = collectionMembers(bufferToHex(row.bytes.subarray(start, facts)), {
        verified: has(isVerified),
        possibleSpam: has(spamFlag),
      })
      known.set(key, text)
    }
    return text
  }
}
