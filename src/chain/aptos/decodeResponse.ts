import protobuf from 'protobufjs'
import { messageType } from './proto.ts'
import { type AptosTransaction, type AptosWrite, maxTimestampMicros, type ResourcePrefix } from './source.ts'

/** One message of the stream. Versions are exact in a double: a chain of 10,000 transactions/s needs 28,000 years to 2^53. */
export type DecodedResponse = {
  chainId: number
  /** Versions of the transactions, as they came; undefined where there are none. */
  first: number | undefined
  last: number | undefined
  /** Each version is the one before plus 1. */
  consecutive: boolean
  /** The versions that the server says it went through; undefined where it does not say. */
  processed: { first: number; last: number } | undefined
  transactions: AptosTransaction[]
}

const id = (type: string, field: string): number => messageType(type).fields[field]!.id
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
  success: id('TransactionInfo', 'success'),
  changes: id('TransactionInfo', 'changes'),
  writeResource: id('WriteSetChange', 'writeResource'),
  typeStr: id('WriteResource', 'typeStr'),
  data: id('WriteResource', 'data'),
}

const kinds: Record<number, AptosTransaction['kind']> = { 1: 'genesis', 4: 'user' }

/**
 * Reads only the needed fields of a message: a resource of another type costs a comparison of bytes, and neither a string nor
 * an object is made for it.
 */
export function createResponseDecoder(resource: ResourcePrefix): (message: Uint8Array) => DecodedResponse {
  const prefix = Buffer.from(resource)

  function decodeTransaction(reader: protobuf.Reader, end: number, response: DecodedResponse): void {
    let version = 0
    let timestampMicros = 0n
    let kind = 0
    let info: Info = { success: false, writes: undefined }
    while (reader.pos < end) {
      const tag = reader.uint32()
      const field = tag >>> 3
      if (field === fields.version) version = unsigned(reader.uint64())
      else if (field === fields.timestamp) timestampMicros = decodeTimestamp(reader)
      else if (field === fields.type) kind = reader.int32()
      else if (field === fields.info) info = decodeInfo(reader)
      else reader.skipType(tag & 7)
    }
    checkEnd(reader, end)
    if (response.last === undefined) response.first = version
    else if (version !== response.last + 1) response.consecutive = false
    response.last = version
    if (!info.writes) return
    if (timestampMicros < 0n || timestampMicros > maxTimestampMicros)
      throw new RangeError(`transaction ${version} has no time of this era`)
    response.transactions.push({
      version: BigInt(version),
      kind: kinds[kind] ?? 'other',
      success: info.success,
      timestampMicros: kind === 1 ? 0n : timestampMicros,
      writes: info.writes,
    })
  }

  function decodeInfo(reader: protobuf.Reader): Info {
    const end = endOf(reader)
    const info: Info = { success: false, writes: undefined }
    while (reader.pos < end) {
      const tag = reader.uint32()
      const field = tag >>> 3
      if (field === fields.success) info.success = reader.bool()
      else if (field === fields.changes) {
        const write = decodeChange(reader)
        if (write) {
          info.writes ??= []
          info.writes.push(write)
        }
      } else reader.skipType(tag & 7)
    }
    checkEnd(reader, end)
    return info
  }

  function decodeChange(reader: protobuf.Reader): AptosWrite | undefined {
    const end = endOf(reader)
    let write: AptosWrite | undefined
    while (reader.pos < end) {
      const tag = reader.uint32()
      if (tag >>> 3 === fields.writeResource) write = decodeWrite(reader)
      else reader.skipType(tag & 7)
    }
    checkEnd(reader, end)
    return write
  }

  function decodeWrite(reader: protobuf.Reader): AptosWrite | undefined {
    const end = endOf(reader)
    let type: string | undefined
    let dataAt: number | undefined
    while (reader.pos < end) {
      const tag = reader.uint32()
      const field = tag >>> 3
      if (field === fields.typeStr) type = wantedType(reader)
      else {
        if (field === fields.data) dataAt = reader.pos
        reader.skipType(tag & 7)
      }
    }
    checkEnd(reader, end)
    if (type === undefined) return undefined
    if (dataAt === undefined) return { type, data: undefined }
    reader.pos = dataAt
    const text = reader.string()
    reader.pos = end
    return { type, data: parseJson(text) }
  }

  function wantedType(reader: protobuf.Reader): string | undefined {
    const start = reader.pos
    const length = reader.uint32()
    const { buf, pos } = reader
    let wanted = length >= prefix.length && pos + length <= reader.len
    for (let i = 0; wanted && i < prefix.length; i++) wanted = buf[pos + i] === prefix[i]
    if (wanted) {
      reader.pos = start
      return reader.string()
    }
    reader.skip(length)
    return undefined
  }

  return (message) => {
    const reader = protobuf.Reader.create(message)
    const response: DecodedResponse = {
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
      if (version !== undefined && !Number.isSafeInteger(version)) throw new RangeError(`${version} is no version`)
    return response
  }
}

type Info = { success: boolean; writes: AptosWrite[] | undefined }

/** Reads the length of an embedded message and gives the position of its end. */
function endOf(reader: protobuf.Reader): number {
  const length = reader.uint32()
  const end = reader.pos + length
  if (end > reader.len) throw new RangeError('a message ends beyond the one that holds it')
  return end
}

function checkEnd(reader: protobuf.Reader, end: number): void {
  if (reader.pos !== end) throw new RangeError('a field ends beyond the message that holds it')
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
