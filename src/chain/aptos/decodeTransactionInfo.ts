import type protobuf from 'protobufjs'
import { fieldId as id } from './proto.ts'
import type { AptosTableItem, AptosTransaction, AptosWrite, WantedChanges } from './source.ts'
import { parseU128 } from './u128.ts'

const fields = {
  success: id('TransactionInfo', 'success'),
  changes: id('TransactionInfo', 'changes'),
  deleteResource: id('WriteSetChange', 'deleteResource'),
  writeResource: id('WriteSetChange', 'writeResource'),
  writeTableItem: id('WriteSetChange', 'writeTableItem'),
}

/** Tags of the texts and messages within changes: field number and wire type. */
const tags = {
  deletedAddress: tagOf('DeleteResource', 'address'),
  deletedType: tagOf('DeleteResource', 'typeStr'),
  address: tagOf('WriteResource', 'address'),
  typeStr: tagOf('WriteResource', 'typeStr'),
  data: tagOf('WriteResource', 'data'),
  handle: tagOf('WriteTableItem', 'handle'),
  key: tagOf('WriteTableItem', 'key'),
  tableData: tagOf('WriteTableItem', 'data'),
  value: tagOf('WriteTableData', 'value'),
  valueType: tagOf('WriteTableData', 'valueType'),
}

/** Length-delimited, wire type 2. */
function tagOf(type: string, field: string): number {
  return (id(type, field) << 3) | 2
}

/** The fields that are read of a transaction's `TransactionInfo`. */
export type DecodedInfo = Pick<AptosTransaction, 'success' | 'writes' | 'deleted' | 'items'>

/** Positions of a resource's parts in a message; 0, which is never a position of one, if the part is missing. */
type Found = { addressAt: number; dataAt: number }

/** Reads the wanted changes, and whether the transaction succeeded. */
export function createTransactionInfoDecoder(wanted: WantedChanges): (reader: protobuf.Reader) => DecodedInfo {
  const isWanted = matchPrefixes(wanted.resources)
  const isBeside = matchText(wanted.beside)
  const isDeleted = matchText(wanted.deleted)
  const isTable = matchText(wanted.table)

  function decodeInfo(reader: protobuf.Reader): DecodedInfo {
    const end = endOf(reader)
    const info: DecodedInfo = { success: false, writes: [], deleted: [], items: [] }
    const beside: Found[] = []
    while (reader.pos < end) {
      const tag = reader.uint32()
      const field = tag >>> 3
      if (field === fields.success) info.success = reader.bool()
      else if (field === fields.changes) decodeChange(reader, info, beside)
      else reader.skipType(tag & 7)
    }
    checkEnd(reader, end)
    if (info.writes.length > 0) addBeside(reader, info.writes, beside)
    return info
  }

  /** Most transactions write this resource but none of `resources` at its address, so it is read last. */
  function addBeside(reader: protobuf.Reader, writes: AptosWrite[], beside: readonly Found[]): void {
    const end = reader.pos
    const addresses = new Set(writes.map(({ address }) => address))
    for (const found of beside) {
      const address = textAt(reader, found.addressAt)
      if (addresses.has(address)) writes.push({ address, type: wanted.beside!, data: jsonAt(reader, found.dataAt) })
    }
    reader.pos = end
  }

  function decodeChange(reader: protobuf.Reader, info: DecodedInfo, beside: Found[]): void {
    const end = endOf(reader)
    while (reader.pos < end) {
      const tag = reader.uint32()
      const field = tag >>> 3
      if (field === fields.writeResource) decodeWrite(reader, info.writes, beside)
      else if (field === fields.deleteResource) decodeDeletion(reader, info.deleted)
      else if (field === fields.writeTableItem) decodeItem(reader, info.items)
      else reader.skipType(tag & 7)
    }
    checkEnd(reader, end)
  }

  function decodeWrite(reader: protobuf.Reader, writes: AptosWrite[], beside: Found[]): void {
    const end = endOf(reader)
    let addressAt = 0
    let typeAt = 0
    let dataAt = 0
    let hasType = false
    let isBesideOthers = false
    while (reader.pos < end) {
      const tag = reader.uint32()
      const at = reader.pos
      if (tag === tags.typeStr) {
        const length = reader.uint32()
        hasType = length > 0
        if (isWanted(reader, length)) typeAt = at
        else isBesideOthers = isBeside(reader, length)
        reader.pos += length
      } else {
        if (tag === tags.data) dataAt = at
        else if (tag === tags.address) addressAt = at
        reader.skipType(tag & 7)
      }
    }
    checkEnd(reader, end)
    if (!hasType) throw new RangeError('a written resource has no type')
    if (typeAt > 0) {
      const type = textAt(reader, typeAt)
      writes.push({ address: textAt(reader, addressAt), type, data: jsonAt(reader, dataAt) })
      reader.pos = end
    } else if (isBesideOthers) beside.push({ addressAt, dataAt })
  }

  function decodeDeletion(reader: protobuf.Reader, deleted: string[]): void {
    const end = endOf(reader)
    let addressAt = 0
    let isTaken = false
    while (reader.pos < end) {
      const tag = reader.uint32()
      if (tag === tags.deletedType) {
        const length = reader.uint32()
        isTaken = isDeleted(reader, length)
        reader.pos += length
      } else {
        if (tag === tags.deletedAddress) addressAt = reader.pos
        reader.skipType(tag & 7)
      }
    }
    checkEnd(reader, end)
    if (!isTaken) return
    deleted.push(textAt(reader, addressAt))
    reader.pos = end
  }

  function decodeItem(reader: protobuf.Reader, items: AptosTableItem[]): void {
    const end = endOf(reader)
    let keyAt = 0
    let dataAt = 0
    let isTaken = false
    while (reader.pos < end) {
      const tag = reader.uint32()
      if (tag === tags.handle) {
        const length = reader.uint32()
        isTaken = isTable(reader, length)
        reader.pos += length
      } else {
        if (tag === tags.key) keyAt = reader.pos
        else if (tag === tags.tableData) dataAt = reader.pos
        reader.skipType(tag & 7)
      }
    }
    checkEnd(reader, end)
    if (!isTaken) return
    const key = textAt(reader, keyAt)
    items.push({ handle: wanted.table!, key, value: decodeValue(reader, dataAt) })
    reader.pos = end
  }

  return decodeInfo
}

/** The text at a position. The chain never leaves these texts empty, so a missing one throws RangeError. */
function textAt(reader: protobuf.Reader, at: number): string {
  if (at === 0) throw new RangeError('a change lacks a required text')
  reader.pos = at
  return reader.string()
}

/** The parsed JSON text at a position; undefined if it is not JSON. */
function jsonAt(reader: protobuf.Reader, at: number): unknown {
  const text = textAt(reader, at)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of a `WriteTableData` if it is a u128: digits as a JSON string. */
function decodeValue(reader: protobuf.Reader, at: number): bigint | undefined {
  if (at === 0) return undefined
  reader.pos = at
  const end = endOf(reader)
  let type = ''
  let value = ''
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag === tags.value) value = reader.string()
    else if (tag === tags.valueType) type = reader.string()
    else reader.skipType(tag & 7)
  }
  checkEnd(reader, end)
  return type === 'u128' ? parseU128(/^"(\d+)"$/.exec(value)?.[1]) : undefined
}

/** Reads the length of an embedded message and returns its end position. */
export function endOf(reader: protobuf.Reader): number {
  const length = reader.uint32()
  const end = reader.pos + length
  if (end > reader.len) throw new RangeError('a message ends beyond the one that holds it')
  return end
}

export function checkEnd(reader: protobuf.Reader, end: number): void {
  if (reader.pos !== end) throw new RangeError('a field ends beyond the message that holds it')
}

/** Whether the text of `length` bytes at the reader's position matches, without creating a string. */
export type MatchBytes = (reader: protobuf.Reader, length: number) => boolean

/** Matches texts that begin with one of `prefixes`. Their common part is compared once: few texts have even that. */
export function matchPrefixes(prefixes: readonly string[]): MatchBytes {
  const wanted = prefixes.map((prefix) => Buffer.from(prefix))
  const shortest = wanted.reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY)
  let common = 0
  while (common < shortest && wanted.every((prefix) => prefix[common] === wanted[0]![common])) common += 1
  return ({ buf, pos, len }, length) => {
    if (length < shortest || pos + length > len || !isAt(buf, pos, wanted[0]!, 0, common)) return false
    for (const prefix of wanted)
      if (length >= prefix.length && isAt(buf, pos, prefix, common, prefix.length)) return true
    return false
  }
}

/** Matches `text`; nothing if it is undefined. */
export function matchText(text: string | undefined): MatchBytes {
  if (text === undefined) return () => false
  const wanted = Buffer.from(text)
  return ({ buf, pos }, length) => length === wanted.length && isAt(buf, pos, wanted, 0, length)
}

function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[at + i] !== wanted[i]) return false
  return true
}
