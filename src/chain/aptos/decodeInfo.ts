import type protobuf from 'protobufjs'
import { checkEnd, endOf } from './embeddedMessage.ts'
import { matchPrefixes, matchText } from './matchBytes.ts'
import { fieldId as id } from './proto.ts'
import type { AptosTableItem, AptosTransaction, AptosWrite, WantedChanges } from './source.ts'
import { parseU128 } from './u128.ts'

const fields = {
  success: id('TransactionInfo', 'success'),
  changes: id('TransactionInfo', 'changes'),
  deleteResource: id('WriteSetChange', 'deleteResource'),
  writeResource: id('WriteSetChange', 'writeResource'),
  writeTableItem: id('WriteSetChange', 'writeTableItem'),
  deletedAddress: id('DeleteResource', 'address'),
  deletedType: id('DeleteResource', 'typeStr'),
  address: id('WriteResource', 'address'),
  typeStr: id('WriteResource', 'typeStr'),
  data: id('WriteResource', 'data'),
  handle: id('WriteTableItem', 'handle'),
  key: id('WriteTableItem', 'key'),
  tableData: id('WriteTableItem', 'data'),
  value: id('WriteTableData', 'value'),
  valueType: id('WriteTableData', 'valueType'),
}

/** What is read of a transaction's `TransactionInfo`. */
export type DecodedInfo = Pick<AptosTransaction, 'success' | 'writes' | 'deleted' | 'items'>

/** Where the parts of a resource stand in a message. */
type Found = { addressAt: number | undefined; dataAt: number | undefined }

/** Reads the changes that are wanted, and whether the transaction succeeded. */
export function createInfoDecoder(wanted: WantedChanges): (reader: protobuf.Reader) => DecodedInfo {
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

  /** Most transactions write such a resource and none that it belongs to, so it is read last. */
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
    let typeAt: number | undefined
    const found: Found = { addressAt: undefined, dataAt: undefined }
    while (reader.pos < end) {
      const tag = reader.uint32()
      const field = tag >>> 3
      if (field === fields.typeStr) typeAt = reader.pos
      else if (field === fields.data) found.dataAt = reader.pos
      else if (field === fields.address) found.addressAt = reader.pos
      reader.skipType(tag & 7)
    }
    checkEnd(reader, end)
    if (typeAt === undefined) return
    if (isWanted(reader, typeAt)) {
      const type = textAt(reader, typeAt)
      writes.push({ address: textAt(reader, found.addressAt), type, data: jsonAt(reader, found.dataAt) })
    } else if (isBeside(reader, typeAt)) beside.push(found)
    reader.pos = end
  }

  function decodeDeletion(reader: protobuf.Reader, deleted: string[]): void {
    const end = endOf(reader)
    let typeAt: number | undefined
    let addressAt: number | undefined
    while (reader.pos < end) {
      const tag = reader.uint32()
      if (tag >>> 3 === fields.deletedType) typeAt = reader.pos
      else if (tag >>> 3 === fields.deletedAddress) addressAt = reader.pos
      reader.skipType(tag & 7)
    }
    checkEnd(reader, end)
    if (typeAt !== undefined && isDeleted(reader, typeAt)) deleted.push(textAt(reader, addressAt))
    reader.pos = end
  }

  function decodeItem(reader: protobuf.Reader, items: AptosTableItem[]): void {
    const end = endOf(reader)
    let handleAt: number | undefined
    let keyAt: number | undefined
    let dataAt: number | undefined
    while (reader.pos < end) {
      const tag = reader.uint32()
      const field = tag >>> 3
      if (field === fields.handle) handleAt = reader.pos
      else if (field === fields.key) keyAt = reader.pos
      else if (field === fields.tableData) dataAt = reader.pos
      reader.skipType(tag & 7)
    }
    checkEnd(reader, end)
    if (handleAt !== undefined && isTable(reader, handleAt)) {
      const key = textAt(reader, keyAt)
      items.push({ handle: wanted.table!, key, value: decodeValue(reader, dataAt) })
    }
    reader.pos = end
  }

  return decodeInfo
}

/** The text at a position; the empty one where a message has none, as protobuf leaves it out. */
function textAt(reader: protobuf.Reader, at: number | undefined): string {
  if (at === undefined) return ''
  reader.pos = at
  return reader.string()
}

function jsonAt(reader: protobuf.Reader, at: number | undefined): unknown {
  return at === undefined ? undefined : parseJson(textAt(reader, at))
}

/** The value of a `WriteTableData`, where it is a u128. */
function decodeValue(reader: protobuf.Reader, at: number | undefined): bigint | undefined {
  if (at === undefined) return undefined
  reader.pos = at
  const end = endOf(reader)
  let type = ''
  let value = ''
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === fields.value) value = reader.string()
    else if (tag >>> 3 === fields.valueType) type = reader.string()
    else reader.skipType(tag & 7)
  }
  checkEnd(reader, end)
  return type === 'u128' ? parseU128(parseJson(value)) : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
