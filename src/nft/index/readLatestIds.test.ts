import { expect, test } from 'vitest'
import { createScriptedChain, type ScriptedTransfer } from '../../../test/scriptedChain.ts'
import { readLatestIds } from './readLatestIds.ts'

const address = '0x00000000000000000000000000000000000000aa'

/** Returns the result for a chain of 1,000 blocks with these transfers. The last five blocks are not final. */
async function read(transfers: Record<number, ScriptedTransfer[]>): Promise<{ ids: bigint[]; lowest: bigint }> {
  const chain = createScriptedChain(address, 5)
  for (let number = 0; number < 1_000; number++) chain.add(transfers[number] ?? [])
  let lowest = chain.head()
  const source: typeof chain.source = {
    ...chain.source,
    logs(range, signal) {
      lowest = range.from < lowest ? range.from : lowest
      // The node answers only a part of the range, as if there were many logs.
      return chain.source.logs({ ...range, to: (range.from + range.to) / 2n }, signal)
    },
  }
  const found = await readLatestIds(source, { address, from: 10n }, new AbortController().signal)
  expect(found!.block).toMatchObject({ number: chain.head() })
  return { ids: [...found!.ids], lowest }
}

const mint = (token: number) => ({ token, from: 0, to: 1 })
const move = (token: number) => ({ token, from: 1, to: 2 })
const burn = (token: number) => ({ token, from: 1, to: 0 })

test('default: returns the token ids of the latest final Transfers, without reading earlier blocks', async () => {
  const { ids, lowest } = await read({ 20: [mint(1)], 980: [mint(2), mint(3)], 990: [move(2)] })
  expect(ids).toEqual([2n, 3n])
  expect(lowest).toBe(901n)
})

test('behavior: excludes ids that were burned later, or whose last Transfer is not final', async () => {
  const { ids, lowest } = await read({
    30: [mint(1), mint(2), mint(3), mint(4)],
    700: [burn(2)],
    950: [burn(3)],
    998: [move(4), mint(5)],
  })
  expect(ids).toEqual([1n])
  expect(lowest).toBe(10n)
})

test('behavior: returns no ids if everything was burned since the first block', async () => {
  expect((await read({ 5: [mint(9)], 20: [mint(1)], 21: [burn(1)], 400: [mint(2)], 997: [burn(2)] })).ids).toEqual([])
})

test('behavior: returns at most a hundred ids, the latest ones', async () => {
  const { ids } = await read({ 950: Array.from({ length: 150 }, (_, i) => mint(i + 1)) })
  expect(ids).toHaveLength(100)
  expect(ids.at(-1)).toBe(150n)
})

test('behavior: returns undefined if the head is reverted while it is read', async () => {
  const chain = createScriptedChain(address, 5)
  for (let number = 0; number < 100; number++) chain.add(number === 20 ? [mint(1)] : [])
  const source: typeof chain.source = {
    ...chain.source,
    logs(range, signal) {
      chain.drop(1)
      chain.add([])
      return chain.source.logs(range, signal)
    },
  }
  expect(await readLatestIds(source, { address, from: 10n }, new AbortController().signal)).toBeUndefined()
})
