import { readFileSync } from 'node:fs'
import { Alchemy } from 'alchemy-sdk'
import { expect, test } from 'vitest'
import { alchemyMethods, withAlchemyMethods } from '../../scripts/alchemyMethods.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(new Alchemy({ apiKey: 'x' }).nft)).filter(
  (name) => name !== 'constructor',
)

test('default: docs/moving.md has a line for every method of the published client, written by npm run docs', () => {
  const page = read('../../docs/moving.md')
  expect(page).toBe(withAlchemyMethods(page))
  expect(Object.keys(alchemyMethods).toSorted()).toEqual(methods.toSorted())
})

test('default: the Alchemy tests call every method of the published client', () => {
  const sources = read('./alchemyContracts.test.ts') + read('./alchemyWallets.test.ts')
  expect(
    methods.filter((name) => !sources.includes(`.nft.${name}(`) && !sources.includes(`.nft\n      .${name}(`)),
  ).toEqual([])
})
