/** An event by its signature: canonical types, without argument names and `indexed`. */
export type EventSignature = { name: string; types: string[]; anonymous: boolean }

/** Whether a text is a valid event name. */
export function isEventName(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text)
}

/** The canonical text of a signature; its keccak-256 is topic0. */
export function signatureText({ name, types }: Pick<EventSignature, 'name' | 'types'>): string {
  return `${name}(${types.join(',')})`
}

/**
 * Parses a signature in any usual form: with or without `event`, names, `indexed`, `tuple` and blanks, with `uint` for
 * `uint256`. undefined: the text is not a signature.
 */
export function parseSignature(text: string): EventSignature | undefined {
  const match = /^(?:event )?([A-Za-z_$][\w$]*) ?\((.*)\) ?(anonymous)? ?;?$/.exec(text.trim().replaceAll(/\s+/g, ' '))
  if (!match) return undefined
  const types = argumentsIn(match[2]!)?.map(argumentType)
  if (!types || types.includes(undefined)) return undefined
  return { name: match[1]!, types: types as string[], anonymous: match[3] !== undefined }
}

/** The canonical form of an ABI type, as ethers and viem hash it; undefined for an invalid type. */
export function canonicalType(type: string): string | undefined {
  if (type.length > longestType) return undefined
  const match = /^([a-z]+)([\dx]*)((?:\s*\[\s*(?:[1-9]\d*)?\s*\])*)$/.exec(type.trim())
  if (!match) return undefined
  const name = match[1]!
  const size = match[2] || (name in defaultSizes ? defaultSizes[name as keyof typeof defaultSizes] : '')
  const base = name === 'byte' && size === '' ? 'bytes1' : name + size
  return isBaseType(base) ? base + match[3]!.replaceAll(/\s/g, '') : undefined
}

/** Longest type, enough for the longest base type with many brackets. */
const longestType = 256

/** Deepest nesting of tuples, far more than any contract has. */
const deepest = 16

const defaultSizes = { uint: '256', int: '256', fixed: '128x18', ufixed: '128x18' }

/** Whether Solidity has this type: sizes are whole bytes without leading zeros, and decimals are at most 80. */
function isBaseType(type: string): boolean {
  if (['address', 'bool', 'string', 'bytes', 'function'].includes(type)) return true
  const number = /^u?(?:int([1-9]\d{0,2})|fixed([1-9]\d{0,2})x(0|[1-9]\d?))$/.exec(type)
  if (number) {
    const [, ofInteger, ofFixed, decimals = '0'] = number
    const bits = Number(ofInteger ?? ofFixed)
    return bits % 8 === 0 && bits <= 256 && Number(decimals) <= 80
  }
  const bytes = /^bytes([1-9]\d?)$/.exec(type)
  return bytes !== null && Number(bytes[1]) <= 32
}

/** The parts of a text between commas outside of brackets; undefined if brackets are unbalanced or too deep. */
function argumentsIn(text: string): string[] | undefined {
  if (text.trim() === '') return []
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(' && ++depth > deepest) return undefined
    if (text[i] === ')' && --depth < 0) return undefined
    if (text[i] === ',' && depth === 0) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  return depth === 0 ? [...parts, text.slice(start)] : undefined
}

/**
 * The canonical type of an argument such as `address indexed from`; a tuple by its components, `(address,uint256)[]`.
 */
function argumentType(text: string): string | undefined {
  const tuple =
    /^\s*(?:tuple\s*)?\((.*)\)((?:\s*\[\s*(?:[1-9]\d*)?\s*\])*)(?:\s*\bindexed)?(?:\s*[A-Za-z_$][\w$]*)?\s*$/s.exec(
      text,
    )
  if (tuple) {
    const types = argumentsIn(tuple[1]!)?.map(argumentType)
    return !types || types.includes(undefined) ? undefined : `(${types.join(',')})${tuple[2]!.replaceAll(/\s/g, '')}`
  }
  const plain =
    /^\s*([a-z]+[\dx]*(?:\s*\[\s*(?:[1-9]\d*)?\s*\])*)(?:\s+payable)?(?:\s+indexed)?(?:\s+[A-Za-z_$][\w$]*)?\s*$/.exec(
      text,
    )
  return plain ? canonicalType(plain[1]!) : undefined
}
