import { expect, test } from 'vitest'
import { writeByHalves } from './writeByHalves.ts'

const refuse = (part: readonly number[], rejected: number, fault: Error) =>
  part.includes(rejected) ? Promise.reject(fault) : Promise.resolve(part)

test('default: a list is written at once', async () => {
  const parts = await writeByHalves(
    [1, 2, 3],
    async (part) => part,
    () => expect.unreachable(),
  )
  expect(parts).toEqual([[1, 2, 3]])
})

test('behavior: an item that is refused again and again is written alone, all others as lists', async () => {
  const fault = new RangeError('too long')
  const parts = await writeByHalves(
    [1, 2, 3, 4, 5],
    (part) => refuse(part, 4, fault),
    async (item, error) => {
      expect(error).toBe(fault)
      return [-item]
    },
  )
  expect(parts).toEqual([[1, 2], [3], [-4], [5]])
})

test('error: an error that is not of the list is thrown', async () => {
  const fault = new Error('the connection broke')
  await expect(
    writeByHalves(
      [1, 2, 3],
      (part) => refuse(part, 2, fault),
      () => expect.unreachable(),
    ),
  ).rejects.toBe(fault)
})
