import type { AbiType } from './abiType.ts'

/** Hex digits per word. */
const word = 64

/**
 * Most reads per word of the data on average, besides one per level of the type: once for a compiler's output, more
 * often if parts share words.
 */
const readsOfWord = 4

/**
 * Decodes a value from a log's data into the form of `encodedText`. After `0x`, the head has the value or its offset at
 * digit `at`. undefined: the data does not fit the type. The number of reads is bounded, because overlapping offsets
 * could make a small log a value of any size.
 */
export function readEncoded(type: AbiType, data: string, at: number): string | undefined {
  let remaining = (data.length / word) * (readsOfWord + levelsOf(type))
  return readMember(type, 2, at)

  /** `start`: base of the offsets. */
  function readMember(own: AbiType, start: number, place: number): string | undefined {
    if (!own.isDynamic) return readValue(own, place)
    const offset = readNumber(place)
    return offset === undefined ? undefined : readValue(own, start + offset * 2)
  }

  function readValue(own: AbiType, place: number): string | undefined {
    if (own.kind === 'tuple') return readMembers(own.parts.length, (i) => own.parts[i]!.type, place)
    if (own.kind === 'array') {
      if (own.length !== undefined) return readMembers(own.length, () => own.item, place)
      const length = readNumber(place)
      return length === undefined ? undefined : readMembers(length, () => own.item, place + word)
    }
    if (own.kind !== 'bytes' && own.kind !== 'string') return cleanWord(own, readDigits(place, word))
    const length = readNumber(place)
    return length === undefined ? undefined : readDigits(place + word, length * 2)
  }

  function readMembers(count: number, typeOf: (i: number) => AbiType, start: number): string | undefined {
    let members = ''
    let place = start
    for (let i = 0; i < count; i++) {
      // A member may have no words, so the counter also bounds members.
      if (remaining-- <= 0) return undefined
      const own = typeOf(i)
      const member = readMember(own, start, place)
      if (member === undefined) return undefined
      members += `${member},`
      place += own.words * word
    }
    return `[${members}]`
  }

  /** An offset or a length, at most the size of the data. */
  function readNumber(place: number): number | undefined {
    const digits = readDigits(place, word)
    const number = digits === undefined ? Number.NaN : Number(`0x${digits}`)
    return number <= data.length ? number : undefined
  }

  function readDigits(place: number, count: number): string | undefined {
    remaining -= Math.ceil(count / word)
    return remaining >= 0 && place + count <= data.length ? data.slice(place, place + count) : undefined
  }
}

/** An upper bound of the nesting of arrays and tuples: a value in the innermost one is a member of each. */
function levelsOf(type: AbiType): number {
  return type.text.match(/[[(]/g)?.length ?? 0
}

/** A word as a compiler writes it: decoders ignore unused bits of a word. */
function cleanWord(type: AbiType, digits: string | undefined): string | undefined {
  if (digits === undefined) return undefined
  switch (type.kind) {
    case 'number': {
      const number = type.signed ? BigInt.asIntN(type.bits, BigInt(`0x${digits}`)) : BigInt(`0x${digits}`)
      return BigInt.asUintN(type.signed ? 256 : type.bits, number)
        .toString(16)
        .padStart(word, '0')
    }
    case 'bool':
      return (/[^0]/.test(digits) ? '1' : '0').padStart(word, '0')
    case 'address':
      return digits.slice(24).padStart(word, '0')
    case 'fixedBytes':
      return digits.slice(0, type.size * 2).padEnd(word, '0')
    default:
      return digits
  }
}
