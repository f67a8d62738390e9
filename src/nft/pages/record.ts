import { type ByteList, createByteList } from '../../util/byteList.ts'
import type { Address } from '../../util/hex.ts'
import { publicUrlSlot } from '../media/mediaText.ts'
import { noMetadata } from '../metadata/document/renderMetadata.ts'
import type { CollectionState } from '../query.ts'
import type { PageRow, Texts } from './pageRow.ts'
import type { CountTexts } from './traitCounts.ts'

/** The parts of a record that all tokens of a collection share, as JSON text. */
export type CollectionText = {
  /** What stands before the line, with the opening brace. */
  head: string
  /** What stands after line, document, normalised form and media, with the closing brace. */
  tail: string
}

export function collectionText(address: Address, state: CollectionState): CollectionText {
  const { standard, name, symbol, possibleSpam, verified } = state
  return {
    head: `{"token_address":"${address}",`,
    tail: `"contract_type":${JSON.stringify(standard)},"name":${JSON.stringify(name)},"symbol":${JSON.stringify(symbol)},"possible_spam":${possibleSpam},"verified_collection":${verified}}`,
  }
}

export type RecordForm = {
  /** Token ids in hex. */
  hex: boolean
  /** The counts for the slots of the texts. */
  counts: CountTexts
  publicUrl: string
}

const noDocument = Buffer.from(noMetadata)
const openNormalized = Buffer.from(',"normalized_metadata":')
const openMedia = Buffer.from(',"media":')
const comma = Buffer.from(',')
const unknown = Buffer.from('null')
const pathSlot = publicUrlSlot.charCodeAt(0)

/** The first `count` records of a page as JSON texts with commas between them. */
export function renderRecords(page: PageRow, count: number, text: CollectionText, form: RecordForm): ByteList {
  const list = createByteList()
  const { lines, records, normalized, media } = page
  const head = Buffer.from(text.head)
  const tail = Buffer.from(`,${text.tail}`)
  /** The members that were not asked for; they are null in every record. */
  const plainTail = Buffer.from(`${normalized ? '' : ',"normalized_metadata":null'}${media ? '' : ',"media":null'}`)
  const between = Buffer.concat([plainTail, tail, comma, head])
  const publicUrl = Buffer.from(JSON.stringify(form.publicUrl).slice(1, -1))
  if (count > 0) list.add(head)
  for (let i = 0; i < count; i++) {
    const place = page.places[i]!
    if (form.hex) addHexLine(list, page, i)
    else list.add(lines.bytes, lines.starts[i], lines.ends[i])
    if (place < 0) list.add(noDocument)
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
    if (i < count - 1) list.add(between)
  }
  if (count > 0) {
    list.add(plainTail)
    list.add(tail)
  }
  return list
}

function addHexLine(list: ByteList, page: PageRow, i: number): void {
  list.add(Buffer.from(`"token_id":"0x${BigInt(page.idOf(i)).toString(16)}`))
  list.add(page.lines.bytes, page.idEnd(i), page.lines.ends[i])
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
