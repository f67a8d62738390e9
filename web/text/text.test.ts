import { expect, test } from 'vitest'
import { formatBytes, formatNumber, formatShare, formatUnits, nearestBlock } from './numbers.ts'
import { nameOrAddress, shorten } from './shorten.ts'
import { formatAgo, formatDuration, formatTime } from './times.ts'
import { withoutDirection } from './withoutDirection.ts'

test('default: formats numbers, bytes and shares', () => {
  expect([0, 1_234_567, 10n ** 30n, '123456789012345678901'].map(formatNumber)).toEqual([
    '0',
    '1,234,567',
    '1,000,000,000,000,000,000,000,000,000,000',
    '123,456,789,012,345,678,901',
  ])
  expect([0, 999, 1_000, 52_428_800, 999_999, 1e18].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '52.4 MB',
    '1.0 MB',
    '1000 PB',
  ])
  expect([0, 0.0004, 0.12345, 0.9999, 1].map(formatShare)).toEqual(['0 %', '< 0.1 %', '12.3 %', '99.9 %', '100 %'])
})

test('default: formats amounts in whole units exactly', () => {
  for (const [digits, decimals, text] of [
    ['0', 0, '0'],
    ['1234567', 0, '1,234,567'],
    ['0', 8, '0'],
    ['1', 8, '0.00000001'],
    ['1234500', 4, '123.45'],
    ['100000000', 8, '1'],
    ['340282366920938463463374607431768211455', 32, '3,402,823.66920938463463374607431768211455'],
    ['7', 255, `0.${'0'.repeat(254)}7`],
  ] as const)
    expect(formatUnits(digits, decimals)).toBe(text)
})

test('behavior: any typed number selects the nearest block, and anything else none', () => {
  const typed = ['', ' ', 'x', '0', '12', '012', '1e1', '5.5', '-5', '-0', '99999999999', '1e400']
  expect(typed.map((text) => nearestBlock(text, 70))).toEqual([
    ...[null, null, null],
    ...['0', '12', '12', '10', '5', '0', '0', '70', '70'],
  ])
})

test('default: formats durations by their two largest units, and ages', () => {
  expect([0, 59, 60, 3_725, 86_400, 90_061, 31_557_600, -1].map(formatDuration)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '1 h 2 min',
    '1 d',
    '1 d 1 h',
    '1 y',
    '0 s',
  ])
  expect([0, -400, -5_000, 61_000, -7_200_000].map((at) => formatAgo(at, 0))).toEqual([
    'now',
    'now',
    '5 s ago',
    'in 1 min',
    '2 h ago',
  ])
})

test('default: a formatted time contains its time zone', () => {
  expect(formatTime(0)).toMatch(/\d\d:\d\d:\d\d [A-Z]{3}/)
})

test('default: shortens a long text to its two ends', () => {
  expect(shorten(`0x${'ab'.repeat(20)}`)).toBe('0xabab…abab')
  expect(shorten('0x1234567890', { head: 6, tail: 4 })).toBe('0x1234567890')
})

test('behavior: a name without visible characters is replaced by the address', () => {
  const address = `0x${'ab'.repeat(20)}`
  for (const name of ['', ' \t', '\u200b\u202e', '\u2800', '\u3164\u115f\uffa0', null, undefined])
    expect(nameOrAddress(name, address)).toBe('0xabab…abab')
  for (const name of ['Apes', '?', '猫', '🦍']) expect(nameOrAddress(name, address)).toBe(name)
})

test('behavior: a title has no direction controls of untrusted text', () => {
  expect(withoutDirection('\u202eselpA\u2069 \u2067x · ok\u202c')).toBe('selpA x · ok')
})
