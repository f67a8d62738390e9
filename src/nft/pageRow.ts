import type { ByteRow } from '../db/byteRows.ts'
import { countSlot, slotKeyLength } from './metadata/countSlots.ts'
import { textSeparator } from './pageSql.ts'

/** Texts in one buffer. */
export type Texts = { bytes: Buffer; starts: number[]; ends: number[] }

/** What the statement of a page gave; see `pageSql.ts`. */
export type PageRow = {
  /** What all of this is read from. */
  row: ByteRow
  /** What the tokens' own rows decide of the records, in the order of the page. */
  lines: Texts
  /** The token id of a line, decimal digits. */
  idOf(line: number): string
  /** Where it ends. */
  idEnd(line: number): number
  /** The token hash of a line, 32 hex digits. */
  hashOf(line: number): string
  /** For each line the place of its document in the texts below; -1: it has none. */
  places: number[]
  /** What documents decide of the records. */
  records: Texts
  /** Normalised forms with slots; undefined: not asked for. */
  normalized: Texts | undefined
  slots: Slots
  media: Texts | undefined
  /** Every text is there; otherwise those that are empty are to be made. */
  ready: boolean
  /** Hashes of tokens whose documents are older than asked for, maybe of one more than the page shows. */
  stale: Set<string>
  /** Addresses of which no preview was asked for yet. */
  unasked: string[]
  /** `traits_version` of the collection at the moment of the texts; 0 where no normalised form was asked for. */
  traitsVersion: bigint
}

/** Where counts belong: the slots of the text at place p are those from `first[p]` to `first[p + 1]`. */
type Slots = { at: number[]; traits: string[]; first: number[]; width: number }

const idAt = '"token_id":"'.length
const fromIdToHash = '","token_hash":"'.length
const hashLength = 32
const quote = '"'.charCodeAt(0)
const separator = textSeparator.charCodeAt(0)

export function readPageRow(row: ByteRow, asked: { normalized: boolean; media: boolean }): PageRow {
  const [lineBytes, hashBytes, stale, records, normalized, media, unasked, traitsVersion] = row
  const lines = textsOf(lineBytes)
  const places = new Map<string, number>()
  const hashes = hashBytes?.toString('latin1') ?? ''
  for (let at = 0; at < hashes.length; at += hashLength) places.set(hashes.slice(at, at + hashLength), places.size)
  const idEnd = (line: number) => lines.bytes.indexOf(quote, lines.starts[line]! + idAt)
  function hashOf(line: number): string {
    const at = idEnd(line) + fromIdToHash
    return lines.bytes.toString('latin1', at, at + hashLength)
  }
  const normalizedTexts = asked.normalized ? textsOf(normalized) : undefined
  const mediaTexts = asked.media ? textsOf(media) : undefined
  return {
    row,
    lines,
    idEnd,
    hashOf,
    idOf: (line) => lines.bytes.toString('latin1', lines.starts[line]! + idAt, idEnd(line)),
    places: lines.starts.map((_, line) => places.get(hashOf(line)) ?? -1),
    records: textsOf(records),
    normalized: normalizedTexts,
    slots: findSlots(normalizedTexts),
    media: mediaTexts,
    ready: isReady(normalizedTexts) && isReady(mediaTexts),
    stale: new Set(stale?.toString('latin1').match(/.{32}/g)),
    unasked: unasked ? JSON.parse(unasked.toString()) : [],
    traitsVersion: BigInt(traitsVersion?.toString('latin1') ?? 0),
  }
}

function textsOf(bytes: Buffer | null | undefined): Texts {
  const starts: number[] = []
  const ends: number[] = []
  if (!bytes) return { bytes: Buffer.alloc(0), starts, ends }
  for (let at = 0; ; ) {
    const end = bytes.indexOf(separator, at)
    starts.push(at)
    ends.push(end < 0 ? bytes.length : end)
    if (end < 0) return { bytes, starts, ends }
    at = end + 1
  }
}

function isReady(texts: Texts | undefined): boolean {
  return !texts || texts.starts.every((start, i) => texts.ends[i]! > start)
}

const slotCode = countSlot.charCodeAt(0)

function findSlots(texts: Texts | undefined): Slots {
  const slots: Slots = { at: [], traits: [], first: [], width: 1 + slotKeyLength }
  if (!texts) return slots
  const { bytes, ends } = texts
  let next = bytes.indexOf(slotCode)
  for (const end of ends) {
    slots.first.push(slots.at.length)
    while (next >= 0 && next < end) {
      slots.at.push(next)
      slots.traits.push(bytes.toString('latin1', next + 1, next + slots.width))
      next = bytes.indexOf(slotCode, next + slots.width)
    }
  }
  slots.first.push(slots.at.length)
  return slots
}
