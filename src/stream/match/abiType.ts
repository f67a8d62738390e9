/** A type of the ABI with its components. */
export type AbiType = {
  /** As in signatures: a tuple by its components, such as `(address,uint256)[]`. */
  text: string
  /** The data contains an offset to the value in its place. */
  isDynamic: boolean
  /** Words of the value in place: one for an offset. */
  words: number
} & (
  | { kind: 'number'; bits: number; signed: boolean; decimals: number }
  | { kind: 'fixedBytes'; size: number }
  | { kind: 'address' | 'bool' | 'bytes' | 'string' }
  | { kind: 'array'; item: AbiType; length: number | undefined }
  | { kind: 'tuple'; parts: readonly { name: string; type: AbiType }[] }
)

/** An argument or a component in JSON. Its type is canonical. */
export type AbiInput = { name?: string | undefined; type: string; components?: readonly AbiInput[] }

const oneWord = { isDynamic: false, words: 1 }
const offset = { isDynamic: true, words: 1 }

export function abiTypeOf(input: AbiInput): AbiType {
  const { type: text } = input
  const array = /^(.*)\[(\d*)\]$/.exec(text)
  if (array) {
    const item = abiTypeOf({ ...input, type: array[1]! })
    const length = array[2] === '' ? undefined : Number(array[2])
    return { kind: 'array', text: `${item.text}[${array[2]}]`, item, length, ...extentOf(item, length) }
  }
  if (text === 'tuple') {
    const parts = (input.components ?? []).map((part) => ({ name: part.name ?? '', type: abiTypeOf(part) }))
    const types = parts.map(({ type }) => type)
    const size = types.some(({ isDynamic }) => isDynamic)
      ? offset
      : { isDynamic: false, words: types.reduce((sum, { words }) => sum + words, 0) }
    return { kind: 'tuple', text: `(${types.map((type) => type.text).join(',')})`, parts, ...size }
  }
  if (text === 'string' || text === 'bytes') return { kind: text, text, ...offset }
  if (text === 'address' || text === 'bool') return { kind: text, text, ...oneWord }
  // A function is encoded as its contract's address and its selector.
  if (text === 'function') return { kind: 'fixedBytes', text, size: 24, ...oneWord }
  const [, name = '', size, decimals] = /^([a-z]+)(\d+)x?(\d*)$/.exec(text) ?? []
  if (name === 'bytes') return { kind: 'fixedBytes', text, size: Number(size), ...oneWord }
  return {
    kind: 'number',
    text,
    bits: Number(size),
    signed: !name.startsWith('u'),
    decimals: Number(decimals ?? 0),
    ...oneWord,
  }
}

function extentOf(item: AbiType, length: number | undefined): Pick<AbiType, 'isDynamic' | 'words'> {
  if (length === undefined || item.isDynamic) return offset
  // Bounds types that are longer than any data.
  return { isDynamic: false, words: Math.min(item.words * length, Number.MAX_SAFE_INTEGER) }
}
