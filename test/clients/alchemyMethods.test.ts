import { readFileSync } from 'node:fs'
import { Alchemy } from 'alchemy-sdk'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(new Alchemy({ apiKey: 'x' }).nft)).filter(
  (name) => name !== 'constructor',
)

test('default: docs/moving.md has a row for every method of the published client', () => {
  const table = read('../../docs/moving.md').split('\n| Method | Support | Details |\n')[1]?.split('\n\n')[0] ?? ''
  const rows = [...table.matchAll(/^\| `(\w+)` \| (works|works better|differs|missing) \| /gm)]
  expect(rows.map(([, name]) => name).toSorted()).toEqual(methods.toSorted())
})

test('default: the Alchemy tests call every method of the published client', () => {
  const sources = read('./alchemyContracts.test.ts') + read('./alchemyWallets.test.ts')
  expect(
    methods.filter((name) => !sources.includes(`.nft.${name}(`) && !sources.includes(`.nft\n      .${name}(`)),
  ).toEqual([])
})
