import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from 'viem'
import { expect, test } from 'vitest'
import { createRandom, freshSeed } from '../../../../test/random.ts'
import type { Address, Hex } from '../../../util/hex.ts'
import { decodeAggregate3, encodeAggregate3 } from './aggregate3.ts'

const seed = freshSeed()
process.stdout.write(`seed ${seed}\n`)
const random = createRandom(seed)
const bytes = (length: number): Hex =>
  `0x${Array.from({ length }, () =>
    Math.floor(random.next() * 256)
      .toString(16)
      .padStart(2, '0'),
  ).join('')}`

test('default: an ABI library decodes the encoded calls', () => {
  for (const count of [0, 1, 2, 50]) {
    const calls = Array.from({ length: count }, (_, i) => ({ to: bytes(20) as Address, data: bytes(i * 3) }))
    const { args } = decodeFunctionData({ abi: multicall3Abi, data: encodeAggregate3(calls) })
    const read = args![0] as readonly { target: Hex; allowFailure: boolean; callData: Hex }[]
    expect(read.map((call) => [call.target.toLowerCase(), call.allowFailure, call.callData])).toEqual(
      calls.map(({ to, data }) => [to, true, data]),
    )
  }
})

const encode = (results: { success: boolean; returnData: Hex }[]) =>
  encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: results })

test('default: decodes results that an ABI library encodes', () => {
  for (const count of [0, 1, 2, 50]) {
    const results = Array.from({ length: count }, (_, i) => ({ success: i % 3 > 0, returnData: bytes(i * 7) }))
    expect(decodeAggregate3(encode(results), count)).toEqual(results)
    expect(decodeAggregate3(encode(results), count + 1)).toBe(undefined)
  }
})

test('error: rejects truncated results and offsets past the end', () => {
  const whole = encode([
    { success: true, returnData: bytes(40) },
    { success: false, returnData: bytes(5) },
  ])
  for (let length = 2; length < whole.length - 64; length += 2)
    expect(decodeAggregate3(whole.slice(0, length) as Hex, 2)).toBe(undefined)
  for (let place = 2; place < whole.length; place += 64) {
    const huge = `${whole.slice(0, place)}${'f'.repeat(64)}${whole.slice(place + 64)}` as Hex
    const decoded = decodeAggregate3(huge, 2)
    // Only the returned bytes may differ.
    if (decoded) expect(decoded.map((result) => result.returnData.length)).toEqual([82, 12])
  }
  expect(decodeAggregate3('0x', 0)).toBe(undefined)
})
