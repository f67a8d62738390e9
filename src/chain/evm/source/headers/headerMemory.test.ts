import { expect, test } from 'vitest'
import type { Hex } from '../../../../util/hex.ts'
import type { Header } from '../../rpc/rpc.ts'
import { createHeaderMemory } from './headerMemory.ts'
import { joinedPrefix } from './headerReader.ts'

const hashOf = (number: bigint, fork = 0): Hex => `0x${fork}${number.toString(16).padStart(63, '0')}`

function headerAt(number: bigint, changed: Partial<Header> = {}): Header {
  const linked = { number, hash: hashOf(number), parentHash: hashOf(number - 1n) }
  return { ...linked, timestamp: number, logsBloom: null, transactionCount: 0, ...changed }
}

/** Reads an honest chain of 40 blocks. */
async function read(from: bigint, to: bigint): Promise<Header[]> {
  const numbers = Array.from({ length: Number(to - from) + 1 }, (_, i) => from + BigInt(i))
  return joinedPrefix(
    numbers.filter((number) => number <= 40n).map((number) => headerAt(number)),
    from,
  )
}

test.each([
  ['a wrong parent hash', headerAt(20n, { parentHash: hashOf(19n, 7) })],
  ['another block', headerAt(20n, { hash: hashOf(20n, 7), parentHash: hashOf(19n, 7) })],
  ['another block with the right parent', headerAt(20n, { hash: hashOf(20n, 7) })],
])('behavior: %s in memory is read again from the node', async (_, header) => {
  const memory = createHeaderMemory({ reader: { chunk: 8n, read }, gap: () => 100n })
  memory.remember(Array.from({ length: 40 }, (_, i) => headerAt(BigInt(i + 1))))
  memory.remember([header])
  const range = { from: 1n, to: 40n, toHash: hashOf(40n) }
  expect((await memory.recall(range)).map(({ hash }) => hash)).toEqual(
    Array.from({ length: 40 }, (_, i) => hashOf(BigInt(i + 1))),
  )
})
