import type { ByteRow } from '../../db/pipeline/byteRows.ts'
import type { Address } from '../../util/hex.ts'
import type { WantedMedia } from '../media/mediaStore.ts'
import { countSlot, slotKeyLength } from '../metadata/parse/countSlots.ts'
import type { Wanted } from './pageSql.ts'
import { pageColumns, textSeparator } from './rows/metadataTexts.ts'
import { type Texts, writeLines } from './rows/tokenLines.ts'

/** The row of a page's statement (`pageColumns`), with texts as parts of its bytes. */
export type PageRow = {
  /** The bytes to which all texts except the lines refer. */
  row: ByteRow
  /** The parts of records from the token rows, in page order. */
  lines: Texts
  /** The token id of a line, decimal digits. */
  idOf(line: number): string
  /** End of the token id in a line. */
  idEnd(line: number): number
  /** The token hash of a line, 32 hex digits. */
  hashOf(line: number): string
  /** Owner or holder of a line; null: none. */
  ownerOf(line: number): Address | null
  /** For each line, the index of its metadata in the texts below; -1: none. */
  places: number[]
  /** The parts of records from metadata. */
  records: Texts
  /** Rarity fields, in page order; undefined: not requested. */
  rarities: Texts | undefined
  /** Normalized metadata with slots; undefined: not requested. */
  normalized: Texts | undefined
  slots: Slots
  /** undefined: not requested. */
  media: Texts | undefined
  /** Why a token has no metadata, as JSON, by token hash, if requested. */
  failures: ReadonlyMap<string, string>
  /** Hashes of tokens with metadata older than requested, possibly including one more than the page shows. */
  stale: Set<string>
  /** URLs without a requested preview. */
  unasked: (WantedMedia & { collectionId: bigint })[]
  /** `traits_version` of the collection in the same snapshot; 0 without normalized metadata. */
  traitsVersionOf(collectionId: bigint): bigint
  /** Version of the collection in the same snapshot; some pages do not have it. */
  version: Buffer | null | undefined
}

/** The slots of all normalized texts; those of text p are from `first[p]` to before `first[p + 1]`. */
type Slots = { at: number[]; traits: string[]; first: number[]; width: number }

const idAt = '"token_id":"'.length
const fromIdToHash = '","token_hash":"'.length
const hashLength = 32
const fromHashToOwner = '","owner_of":'.length
const ownerLength = '"0x"'.length + 40
const nothing = Buffer.alloc(0)
const quote = '"'.charCodeAt(0)
const separator = textSeparator.charCodeAt(0)

/** Kind of statement and requested texts of a row. `bytes`: of tokens that are already read. */
export type RequestedOfPage = {
  wanted: Wanted
  normalized: boolean
  media: boolean
  rarity: boolean
  counted?: boolean | undefined
  bytes?: Buffer | undefined
}

/** `take` allocates memory for lines. */
export function readPageRow(row: ByteRow, requested: RequestedOfPage, take: (size: number) => Buffer): PageRow {
  const columns = pageColumns.read(row)
  const { tokens, hashes, stale, records, normalized, media, unasked, failures, traitsVersions, rarities, version } =
    columns
  const lines = requested.wanted === 'read' ? textsOf(tokens) : writeLines(requested.bytes ?? tokens ?? nothing, take)
  const isOfSeveral = requested.wanted === 'listed' || requested.wanted === 'loaded'
  function idEnd(line: number): number {
    let at = lines.starts[line]! + idAt
    while (lines.bytes[at] !== quote) at++
    return at
  }
  const hashAt = (line: number) => idEnd(line) + fromIdToHash
  function hashOf(line: number): string {
    const at = hashAt(line)
    return lines.bytes.toString('latin1', at, at + hashLength)
  }
  const traitsVersion = isOfSeveral ? 0n : BigInt(traitsVersions?.toString('latin1') ?? 0)
  const normalizedTexts = requested.normalized ? textsOf(normalized) : undefined
  return {
    row,
    lines,
    idEnd,
    hashOf,
    ownerOf(line) {
      const from = hashAt(line) + hashLength + fromHashToOwner
      return lines.bytes[from] === quote
        ? (lines.bytes.toString('latin1', from + 1, from + ownerLength - 1) as Address)
        : null
    },
    idOf: (line) => lines.bytes.toString('latin1', lines.starts[line]! + idAt, idEnd(line)),
    places: placesOf(lines, hashAt, Buffer.from(hexOf(hashes), 'latin1'), isOfSeveral),
    records: textsOf(records),
    rarities: requested.rarity ? textsOf(rarities) : undefined,
    normalized: normalizedTexts,
    slots: findSlots(requested.counted === false ? undefined : normalizedTexts),
    media: requested.media ? textsOf(media) : undefined,
    failures: failuresIn(failures),
    stale: new Set(hexOf(stale).match(/.{32}/g)),
    unasked: wantedMedia(unasked),
    version,
    traitsVersionOf: isOfSeveral ? versionsIn(traitsVersions) : () => traitsVersion,
  }
}

function hexOf(bytes: Buffer | null | undefined): string {
  return bytes?.toString('hex') ?? ''
}

function failuresIn(failures: Buffer | null): PageRow['failures'] {
  const texts = failures?.toString('latin1').split(textSeparator) ?? []
  return new Map(texts.map((text) => [text.slice(0, hashLength), text.slice(hashLength)]))
}

function versionsIn(versions: Buffer | null | undefined): PageRow['traitsVersionOf'] {
  const of = new Map(Object.entries<string>(JSON.parse(versions?.toString('latin1') ?? '{}')))
  return (collectionId) => BigInt(of.get(String(collectionId)) ?? 0)
}

function wantedMedia(unasked: Buffer | null | undefined): PageRow['unasked'] {
  if (!unasked) return []
  const rows: [collection: string, urlHash: string, url: string, tokenHash: string, file: string][] = JSON.parse(
    unasked.toString(),
  )
  return rows.map(([collection, urlHash, url, tokenHash, file]) => ({
    ...{ collectionId: BigInt(collection), urlHash, url },
    tokenHash: tokenHash || null,
    isFile: file !== '',
  }))
}

/** Index of each line's hash in `hashes`, which are in any order, usually that of the lines or its reverse. */
function placesOf(lines: Texts, hashAt: (line: number) => number, hashes: Buffer, inOrderOfLines: boolean): number[] {
  const count = lines.starts.length
  const places: number[] = new Array(count).fill(-1)
  // An index scan returns hashes in ascending order; lines are in descending order.
  let at = 0
  for (let walked = 0; walked < count; walked++) {
    const line = inOrderOfLines ? walked : count - 1 - walked
    if (sameHash(lines.bytes, hashAt(line), hashes, at)) at += hashLength
    // Consecutive lines may be of one token.
    else if (!sameHash(lines.bytes, hashAt(line), hashes, at - hashLength)) continue
    places[line] = at / hashLength - 1
  }
  if (at === hashes.length) return places
  const known = new Map<string, number>()
  for (let i = 0; i < hashes.length; i += hashLength)
    known.set(hashes.toString('latin1', i, i + hashLength), i / hashLength)
  return places.map((_, line) => {
    const from = hashAt(line)
    return known.get(lines.bytes.toString('latin1', from, from + hashLength)) ?? -1
  })
}

function sameHash(a: Buffer, aAt: number, b: Buffer, bAt: number): boolean {
  if (bAt < 0 || bAt >= b.length) return false
  for (let i = 0; i < hashLength; i++) if (a[aAt + i] !== b[bAt + i]) return false
  return true
}

function textsOf(bytes: Buffer | null | undefined): Texts {
  const starts: number[] = []
  const ends: number[] = []
  if (!bytes) return { bytes: nothing, starts, ends }
  for (let at = 0; ; ) {
    const end = bytes.indexOf(separator, at)
    starts.push(at)
    ends.push(end < 0 ? bytes.length : end)
    if (end < 0) return { bytes, starts, ends }
    at = end + 1
  }
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
