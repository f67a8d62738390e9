import { expect, test } from 'vitest'
import { forEachPart, mapAtOnce } from './mapAtOnce.ts'

test('default: results keep the order of the items, and no more run concurrently than allowed', async () => {
  const waiting: (() => void)[] = []
  const started: number[] = []
  const mapped = mapAtOnce([10, 20, 30], 2, async (item, place) => {
    started.push(place)
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
    })
    return item + place
  })
  expect(started).toEqual([0, 1])
  waiting[1]!()
  await expect.poll(() => started).toEqual([0, 1, 2])
  waiting[2]!()
  waiting[0]!()
  expect(await mapped).toEqual([10, 21, 32])
})

test('error: after an error no further item starts', async () => {
  const started: number[] = []
  const fault = new Error('the first')
  const release: (() => void)[] = []
  const mapped = mapAtOnce([0, 1, 2, 3], 2, async (item) => {
    started.push(item)
    if (item === 0) throw fault
    await new Promise<void>((resolve) => {
      release.push(resolve)
    })
  })
  await expect(mapped).rejects.toBe(fault)
  release[0]!()
  await new Promise(setImmediate)
  expect(started).toEqual([0, 1])
})

test('behavior: parts are in order with a shorter last one, and an empty list has none', async () => {
  const parts: [readonly string[], number][] = []
  const work = async (part: readonly string[], at: number) => {
    parts.push([part, at])
  }
  await forEachPart(['a', 'b', 'c', 'd', 'e'], { size: 2, atOnce: 1 }, work)
  await forEachPart([], { size: 2, atOnce: 1 }, work)
  expect(parts).toEqual([
    [['a', 'b'], 0],
    [['c', 'd'], 2],
    [['e'], 4],
  ])
})
