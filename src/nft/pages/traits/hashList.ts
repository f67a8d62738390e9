/** Token hashes in descending order, four words of 32 bits each: comparing and copying takes a tenth of the time of strings. */
export type HashList = { readonly words: Uint32Array; readonly length: number }

export const noHashes: HashList = { words: new Uint32Array(0), length: 0 }

const digits = 32

/** Parses a text of hashes, 32 hex digits each; null: none. */
export function readHashes(text: string | null | undefined): HashList {
  if (!text) return noHashes
  const words = new Uint32Array(text.length / 8)
  const bytes = Buffer.from(words.buffer)
  bytes.write(text, 'hex')
  // A hash is big-endian, a word of this machine little-endian.
  bytes.swap32()
  return { words, length: text.length / digits }
}

/** A hash as 32 hex digits. */
export function hashAt({ words }: HashList, i: number): string {
  let text = ''
  for (let word = 4 * i; word < 4 * i + 4; word++) text += words[word]!.toString(16).padStart(8, '0')
  return text
}

/** All hashes, as 32 hex digits each. */
export function hashTexts(list: HashList): string[] {
  return Array.from({ length: list.length }, (_, i) => hashAt(list, i))
}

/** Positive: the hash comes before the other one, as it is greater. */
function compare(a: Uint32Array, i: number, b: Uint32Array, j: number): number {
  for (let word = 0; word < 4; word++) {
    const order = a[4 * i + word]! - b[4 * j + word]!
    if (order !== 0) return order
  }
  return 0
}

function copy(from: Uint32Array, i: number, to: Uint32Array, j: number): void {
  for (let word = 0; word < 4; word++) to[4 * j + word] = from[4 * i + word]!
}

/** Hashes in either list. */
export function unite(a: HashList, b: HashList): HashList {
  if (a.length === 0) return b
  if (b.length === 0) return a
  const words = new Uint32Array(a.words.length + b.words.length)
  let length = 0
  for (let i = 0, j = 0; i < a.length || j < b.length; length++) {
    const order = i === a.length ? -1 : j === b.length ? 1 : compare(a.words, i, b.words, j)
    if (order >= 0) copy(a.words, i, words, length)
    else copy(b.words, j, words, length)
    if (order >= 0) i++
    if (order <= 0) j++
  }
  return { words, length }
}

/** Hashes in both lists. */
export function intersect(a: HashList, b: HashList): HashList {
  const words = new Uint32Array(a.words.length)
  let length = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const order = compare(a.words, i, b.words, j)
    if (order === 0) copy(a.words, i, words, length++)
    if (order >= 0) i++
    if (order <= 0) j++
  }
  return { words, length }
}

/** The first `length` hashes. */
export function cut({ words }: HashList, length: number): HashList {
  return { words, length }
}

/** Number of hashes that are at least a hash of another list. */
export function countDownTo(list: HashList, other: HashList, j: number): number {
  let from = 0
  let to = list.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (compare(list.words, middle, other.words, j) >= 0) from = middle + 1
    else to = middle
  }
  return from
}
