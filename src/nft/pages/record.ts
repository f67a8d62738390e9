import { type ByteList, createByteList } from '../../util/byteList.ts'
import type { Address } from '../../util/hex.ts'
import { publicUrlSlot } from '../media/mediaStore.ts'
import { noMetadata } from '../metadata/parse/renderMetadata.ts'
import type { ListedRecords, RecordParts, ShownCollection } from '../query.ts'
import type { PageRow } from './pageRow.ts'
import type { Texts } from './rows/tokenLines.ts'
import type { CountTexts } from './traits/traitCounts.ts'

/** The parts of a record that all tokens of a collection share, as JSON. */
export type CollectionText = {
  /** Text before the line, with the opening brace. */
  head: string
  /** Text after line, metadata, normalized metadata and media, with the closing brace. */
  tail: string
}

export function collectionText(address: Address, state: ShownCollection): CollectionText {
  const { name, symbol, possibleSpam, verified, spam } = state
  const reasons = spam ? `,"spam_score":${spam.score},"spam_reasons":${JSON.stringify(spam.reasons)}` : ''
  return {
    head: `{"token_address":"${address}",`,
    tail: `"name":${JSON.stringify(name)},"symbol":${JSON.stringify(symbol)},"possible_spam":${possibleSpam},"verified_collection":${verified}${reasons}}`,
  }
}

export type RecordForm = {
  /** Token ids in hex. */
  hex: boolean
  /** Counts for the slots of the texts. */
  counts: CountTexts
  publicUrl: string
}

const withoutMetadata = Buffer.from(noMetadata)
const openNormalized = Buffer.from(',"normalized_metadata":')
const openMedia = Buffer.from(',"media":')
const comma = Buffer.from(',')
const unknown = Buffer.from('null')
const notFetched = JSON.stringify('metadata not fetched yet')
const pathSlot = publicUrlSlot.charCodeAt(0)

/** Writes the records of one page: head, fields and tail. */
export type RecordWriter = {
  head: Buffer
  tail: Buffer
  addMembers(list: ByteList, line: number): void
  /** The record in parts. */
  partsOf(line: number): RecordParts
}

/** A shown record: its writer and line. */
export type Picked = { writer: RecordWriter; line: number; members?: Buffer | undefined }

export function createRecordWriter(
  page: PageRow,
  { address, state }: { address: Address; state: ShownCollection },
  form: RecordForm,
): RecordWriter {
  const { lines, rarities, records, normalized, media } = page
  const text = collectionText(address, state)
  /** Fields that were not requested are null in every record. */
  const plain = `${normalized ? '' : ',"normalized_metadata":null'}${media ? '' : ',"media":null'}`
  const publicUrl = Buffer.from(JSON.stringify(form.publicUrl).slice(1, -1))
  const publicUrlText = publicUrl.toString('latin1')
  return {
    head: Buffer.from(text.head),
    tail: Buffer.from(`${plain},${text.tail}`),
    addMembers(list, line) {
      const place = page.places[line]!
      let at = lines.starts[line]!
      if (form.hex) at = addHexId(list, page, line)
      list.add(lines.bytes, at, lines.ends[line])
      if (rarities) list.add(rarities.bytes, rarities.starts[line], rarities.ends[line])
      if (place < 0) list.add(withoutMetadata)
      else list.add(records.bytes, records.starts[place], records.ends[place])
      if (normalized) {
        list.add(openNormalized)
        if (place < 0) list.add(unknown)
        else addCounted(list, page, place, form.counts)
      }
      if (media) {
        list.add(openMedia)
        if (place < 0) list.add(unknown)
        else addMedia(list, media, place, publicUrl)
      }
    },
    partsOf(line) {
      const place = page.places[line]!
      const token = tokenIn(textOf(lines, line))
      return {
        address,
        state,
        token,
        metadataMembers: place < 0 ? noMetadata : textOf(records, place),
        failure: place < 0 ? notFetched : (page.failures.get(token.token_hash) ?? null),
        normalized: normalized && place >= 0 ? orNull(textOf(normalized, place)) : null,
        media: media && place >= 0 ? orNull(textOf(media, place).replaceAll(publicUrlSlot, publicUrlText)) : null,
      }
    },
  }
}

/** The token of a line, whose fields are in fixed order. Parsing the line as JSON takes three times as long. */
function tokenIn(line: string): RecordParts['token'] {
  const idAt = '"token_id":"'.length
  const idEnd = line.indexOf('"', idAt)
  const hashAt = idEnd + '","token_hash":"'.length
  const hashEnd = hashAt + 32
  const minterAt = after(line, '"minter_address":', hashEnd)
  const minted = quotedIn(line, '"block_number_minted":"', minterAt)
  const amount = quotedIn(line, '"amount":"', minterAt)
  return {
    token_id: line.slice(idAt, idEnd),
    token_hash: line.slice(hashAt, hashEnd),
    minter_address: line[minterAt] === 'n' ? null : (line.slice(minterAt + 1, minterAt + 43) as Address),
    block_number_minted: minted,
    amount,
    contract_type: quotedIn(line, '"contract_type":"', minterAt) as RecordParts['token']['contract_type'],
  }
}

const after = (text: string, name: string, from: number) => text.indexOf(name, from) + name.length

function quotedIn(line: string, name: string, from: number): string {
  const at = after(line, name, from)
  return line.slice(at, line.indexOf('"', at))
}

const textOf = ({ bytes, starts, ends }: Texts, i: number) => bytes.toString('latin1', starts[i], ends[i])
const orNull = (text: string) => (text === 'null' ? null : text)

/** The first `count` records of a page as JSON, separated by commas. */
export function renderRecords({ head, tail, addMembers }: RecordWriter, count: number): ByteList {
  const list = createByteList()
  const between = Buffer.concat([tail, comma, head])
  if (count > 0) list.add(head)
  for (let line = 0; line < count; line++) {
    addMembers(list, line)
    list.add(line < count - 1 ? between : tail)
  }
  return list
}

/** Records of several pages, in the order given. `done`: called once their bytes are copied. */
export function pickedRecords(picked: readonly Picked[], done: () => void): ListedRecords {
  function after<T>(made: T): T {
    done()
    return made
  }
  return {
    toBuffer: (before, end) => after(renderPicked(picked).toBuffer(before, end)),
    parts: () => after(picked.map(({ writer, line }) => writer.partsOf(line))),
  }
}

/** Records of several pages, in the order given, as JSON separated by commas. */
export function renderPicked(picked: readonly Picked[]): ByteList {
  const list = createByteList()
  for (const [i, { writer, line, members }] of picked.entries()) {
    if (i > 0) list.add(comma)
    list.add(writer.head)
    writer.addMembers(list, line)
    if (members) list.add(members)
    list.add(writer.tail)
  }
  return list
}

/** Adds a line up to the end of its token id, in hex; returns the start of the rest. */
function addHexId(list: ByteList, page: PageRow, line: number): number {
  list.add(Buffer.from(`"token_id":"0x${BigInt(page.idOf(line)).toString(16)}`))
  return page.idEnd(line)
}

function addCounted(list: ByteList, page: PageRow, place: number, counts: CountTexts): void {
  const { bytes, starts, ends } = page.normalized!
  const { slots } = page
  let at = starts[place]!
  const end = ends[place]!
  for (let slot = slots.first[place]!; slot < slots.first[place + 1]!; slot++) {
    list.add(bytes, at, slots.at[slot])
    list.add(counts.get(slots.traits[slot]!) ?? unknown)
    at = slots.at[slot]! + slots.width
  }
  list.add(bytes, at, end)
}

function addMedia(list: ByteList, { bytes, starts, ends }: Texts, place: number, publicUrl: Buffer): void {
  let at = starts[place]!
  const end = ends[place]!
  for (;;) {
    const slot = bytes.indexOf(pathSlot, at)
    if (slot < 0 || slot >= end) break
    list.add(bytes, at, slot)
    list.add(publicUrl)
    at = slot + 1
  }
  list.add(bytes, at, end)
}
