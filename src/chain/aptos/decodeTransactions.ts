import protobuf from 'protobufjs'
import { checkEnd, createTransactionInfoDecoder, type DecodedInfo, endOf } from './decodeTransactionInfo.ts'
import { fieldId as id } from './proto.ts'
import { type AptosTransaction, maxTimestampMicros, type WantedChanges } from './source.ts'

/** One message of the stream. Versions are exact in a double: at 10,000 transactions/s, 2^53 takes 28,000 years. */
export type DecodedTransactions = {
  chainId: number
  /** The version of the first transaction; undefined if there are none. */
  first: number | undefined
  last: number | undefined
  /** Each version is the one before plus 1. */
  consecutive: boolean
  /** The versions that the server reports as processed; undefined if it reports none. */
  processed: { first: number; last: number } | undefined
  transactions: AptosTransaction[]
}

const fields = {
  transactions: id('TransactionsResponse', 'transactions'),
  chainId: id('TransactionsResponse', 'chainId'),
  processedRange: id('TransactionsResponse', 'processedRange'),
  firstVersion: id('ProcessedRange', 'firstVersion'),
  lastVersion: id('ProcessedRange', 'lastVersion'),
  timestamp: id('Transaction', 'timestamp'),
  version: id('Transaction', 'version'),
  info: id('Transaction', 'info'),
  type: id('Transaction', 'type'),
  seconds: id('Timestamp', 'seconds'),
  nanos: id('Timestamp', 'nanos'),
}

const kinds: Record<number, AptosTransaction['kind']> = { 1: 'genesis', 4: 'user' }

/**
 * Decodes transactions of the gRPC stream (parseRest.ts: of the REST API). Only the needed fields are read: a change of another type costs a byte
 * comparison, without creating a string or object. Protobuf omits zeros and empty texts: fields that are never zero or empty must be present. Throws
 * RangeError.
 */
export function createTransactionsDecoder(wanted: WantedChanges): (message: Uint8Array) => DecodedTransactions {
  const decodeInfo = createTransactionInfoDecoder(wanted)

  function decodeTransaction(reader: protobuf.Reader, end: number, response: DecodedTransactions): void {
    let version = 0
    let timestampMicros: bigint | undefined
    let type = 0
    let info: DecodedInfo | undefined
    while (reader.pos < end) {
      const tag = reader.uint32()
      const field = tag >>> 3
      if (field === fields.version) version = unsigned(reader.uint64())
      else if (field === fields.timestamp) timestampMicros = decodeTimestamp(reader)
      else if (field === fields.type) type = reader.int32()
      else if (field === fields.info) info = decodeInfo(reader)
      else reader.skipType(tag & 7)
    }
    checkEnd(reader, end)
    if (response.last === undefined) response.first = version
    else if (version !== response.last + 1) response.consecutive = false
    response.last = version
    const kind = kinds[type] ?? 'other'
    if (!info || type === 0 || (kind === 'user' && timestampMicros === undefined))
      throw new RangeError(`transaction ${version} lacks a required field`)
    if (info.writes.length === 0 && info.deleted.length === 0 && info.items.length === 0) return
    const micros = timestampMicros ?? 0n
    if (micros < 0n || micros > maxTimestampMicros)
      throw new RangeError(`transaction ${version} has no time of this era`)
    response.transactions.push({
      version: BigInt(version),
      kind,
      timestampMicros: kind === 'genesis' ? 0n : micros,
      ...info,
    })
  }

  return (message) => {
    const reader = protobuf.Reader.create(message)
    const response: DecodedTransactions = {
      chainId: 0,
      first: undefined,
      last: undefined,
      consecutive: true,
      processed: undefined,
      transactions: [],
    }
    while (reader.pos < reader.len) {
      const tag = reader.uint32()
      const field = tag >>> 3
      if (field === fields.transactions) decodeTransaction(reader, endOf(reader), response)
      else if (field === fields.chainId) response.chainId = unsigned(reader.uint64())
      else if (field === fields.processedRange) response.processed = decodeProcessed(reader)
      else reader.skipType(tag & 7)
    }
    for (const version of [response.last, response.processed?.last])
      if (version !== undefined && !Number.isSafeInteger(version)) throw new RangeError(`${version} is not a version`)
    return response
  }
}

function decodeTimestamp(reader: protobuf.Reader): bigint {
  const end = endOf(reader)
  let seconds = 0
  let nanos = 0
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === fields.seconds) seconds = signed(reader.int64())
    else if (tag >>> 3 === fields.nanos) nanos = reader.int32()
    else reader.skipType(tag & 7)
  }
  checkEnd(reader, end)
  return BigInt(seconds) * 1_000_000n + BigInt(Math.floor(nanos / 1_000))
}

function decodeProcessed(reader: protobuf.Reader): { first: number; last: number } {
  const end = endOf(reader)
  const range = { first: 0, last: 0 }
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === fields.firstVersion) range.first = unsigned(reader.uint64())
    else if (tag >>> 3 === fields.lastVersion) range.last = unsigned(reader.uint64())
    else reader.skipType(tag & 7)
  }
  checkEnd(reader, end)
  return range
}

type Halves = { high: number; low: number }

function signed({ high, low }: Halves): number {
  return high * 4_294_967_296 + (low >>> 0)
}

function unsigned({ high, low }: Halves): number {
  return (high >>> 0) * 4_294_967_296 + (low >>> 0)
}
