import { expect, test } from 'vitest'
import { writeByHalves } from './writeByHalves.ts'

const rejectFrom = (part: readonly number[], rejected: number, fault: Error) =>
  part.includes(rejected) ? Promise.reject(fault) : Promise.resolve(part)

test('default: a list is written in one call', async () => {
  const parts = await writeByHalves(
    [1, 2, 3],
    async (part) => part,
    () => expect.unreachable(),
  )
  expect(parts).toEqual([[1, 2, 3]])
})

test('behavior: an item that is rejected repeatedly is written alone, and all others in lists', async () => {
  const fault = new RangeError('too long')
  const parts = await writeByHalves(
    [1, 2, 3, 4, 5],
    (part) => rejectFrom(part, 4, fault),
    async (item, error) => {
      expect(error).toBe(fault)
      return [-item]
    },
  )
  expect(parts).toEqual([[1, 2], [3], [-4], [5]])
})

test('error: throws an error that the list did not cause', async () => {
  const fault = new Error('the connection broke')
  await expect(
    writeByHalves(
      [1, 2, 3],
      (part) => rejectFrom(part, 2, fault),
      () => expect.unreachable(),
    ),
  ).rejects.toBe(fault)
})
