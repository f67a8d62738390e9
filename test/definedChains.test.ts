import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { definedChainsText, isPublicNode } from '../scripts/definedChains.ts'
import { knownChains } from '../src/chain/evm/chains.ts'
import { aliasesOf, definedChain, definedChains } from '../src/chain/evm/definedChains.ts'

test('default: the table of chains matches viem (npm run docs writes it)', () => {
  const file = join(import.meta.dirname, '../src/chain/evm/definedChains.artifact.json')
  expect(readFileSync(file, 'utf8')).toBe(definedChainsText())
})

test('behavior: a chain name refers to one chain, whichever chains are enabled', () => {
  const idOf = new Map(knownChains.flatMap(({ id, names }) => names.map((name) => [name, id] as const)))
  for (const chain of definedChains())
    for (const name of aliasesOf(chain)) {
      expect(definedChain(name)).toBe(chain)
      const id = BigInt(chain.id)
      expect([name, idOf.get(name) ?? id]).toEqual([name, id])
      idOf.set(name, id)
    }
})

test.each<[string, boolean]>([
  ['https://mainnet.base.org', true],
  ['https://84.32.1.2:8545/path', true],
  ['http://mainnet.base.org', false],
  ['https://user:word@node.example', false],
  ...['127.0.0.1:8545', '10.0.0.1', '[::1]', '169.254.169.254', 'localhost', 'node.local', 'my.localhost.', 'geth'].map(
    (host): [string, boolean] => [`https://${host}`, false],
  ),
])('behavior: isPublicNode of %s is %s', (address, isPublic) => {
  expect(isPublicNode(address)).toBe(isPublic)
})
