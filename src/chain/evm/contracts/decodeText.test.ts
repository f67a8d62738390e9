import { encodeAbiParameters, stringToHex, toHex } from 'viem'
import { expect, test } from 'vitest'
import type { Hex } from '../../../util/hex.ts'
import { decodeText } from './decodeText.ts'

const abiString = (text: string) => encodeAbiParameters([{ type: 'string' }], [text])
const abiBytes = (bytes: Hex) => encodeAbiParameters([{ type: 'bytes' }], [bytes])
const word = (n: bigint) => toHex(n, { size: 32 }).slice(2)

test.each<[string, Hex, string | undefined]>([
  ['an ABI string', abiString('Ünïcode 🐉'), 'Ünïcode 🐉'],
  ['an empty ABI string', abiString(''), ''],
  ['bytes32', stringToHex('Maker', { size: 32 }), 'Maker'],
  ['bytes32 of NULs', toHex(0, { size: 32 }), ''],
  ['NULs within', abiString('a\0b\0'), 'ab'],
  ['broken UTF-8', abiBytes('0x61ff80c062'), 'a\ufffd\ufffd\ufffdb'],
  ['an encoded lone surrogate', abiBytes('0x61eda08062'), 'a\ufffd\ufffd\ufffdb'],
  ['nothing', '0x', undefined],
  ['a few bytes', '0x616263', undefined],
  ['a length beyond the data', `0x${word(32n)}${word(1_000_000n)}${stringToHex('cut', { size: 32 }).slice(2)}`, 'cut'],
  ['a length of 2^256 − 1', `0x${word(32n)}${'ff'.repeat(32)}${stringToHex('cut', { size: 32 }).slice(2)}`, 'cut'],
  ['an offset beyond the data', `0x${word(1_000_000n)}${word(3n)}${word(0n)}`, undefined],
  ['words of ones', `0x${'ff'.repeat(64)}`, undefined],
])('default: %s', (_, data, expected) => {
  expect(decodeText(data, 1_024)).toBe(expected)
})

test('behavior: a long text is truncated, but never within a surrogate pair', () => {
  expect(decodeText(abiString('x'.repeat(5_000)), 1_024)).toBe('x'.repeat(1_024))
  expect(decodeText(abiString('🐉'.repeat(600)), 1_023)).toBe('🐉'.repeat(511))
})
