import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import type { Log } from '../../util/log.ts'
import { noopLog } from '../../util/log.ts'
import { createLists } from './createLists.ts'

const [one, two] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const
const http = { get: () => Promise.reject(new TypeError('no list has an address')) }

/** Lists of spam contracts in these files, and the number of times that a list was parsed. */
function listsOf(...spam: string[]) {
  let parsed = 0
  const log: Log = { ...noopLog, info: () => parsed++ }
  const lists = createLists({ sources: { spam, verified: [] }, chains: [], http, log })
  const digest = async () => {
    await lists.refresh(new AbortController().signal)
    return lists.digest()
  }
  return { lists, digest, parsed: () => parsed }
}

test('behavior: the digest depends on contracts only, not on their order or number', async () => {
  const file = join(await temporaryFolder(), 'spam.txt')
  const { digest } = listsOf(file)
  await writeFile(file, [one, two].join('\n'))
  const first = await digest()
  await writeFile(file, [two, one, two].join('\n'))
  expect(await digest()).toBe(first)
  expect(await listsOf(file).digest()).toBe(first)
  await writeFile(file, one)
  expect(await digest()).not.toBe(first)
})

test('behavior: a list with the same bytes is not parsed again', async () => {
  const file = join(await temporaryFolder(), 'spam.txt')
  const { digest, parsed } = listsOf(file)
  await writeFile(file, one)
  await digest()
  await digest()
  expect(parsed()).toBe(1)
  await writeFile(file, two)
  await digest()
  expect(parsed()).toBe(2)
})

test('behavior: a list that was never readable is part of the digest, and its contracts are those that were on it', async () => {
  const folder = await temporaryFolder()
  const [good, missing] = [join(folder, 'good.txt'), join(folder, 'missing.txt')]
  await writeFile(good, one)
  const { lists, digest } = listsOf(good, missing)
  const without = await digest()
  expect(lists.find('spam', 1n, one, () => false)).toEqual([good])
  expect(lists.find('spam', 1n, two, (list) => list === missing)).toEqual([missing])
  await writeFile(good, two)
  expect(await digest()).not.toBe(without)
  await writeFile(good, one)
  await writeFile(missing, two)
  const whole = await digest()
  expect(whole).not.toBe(without)
  expect(lists.find('spam', 1n, one, () => true)).toEqual([good])
  await rm(missing)
  expect(await digest()).toBe(whole)
})
