import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Address } from '../../util/hex.ts'
import { createCursors } from '../pages/cursor.ts'
import { type ApiChain, chainWithNode } from './chains.ts'
import { readOwnersQuery } from './ownersPage.ts'
import { readTraitQuery } from './traitPage.ts'
import { readTransferList } from './transferParameters.ts'
import { readWalletList } from './walletParameters.ts'

const cursors = createCursors({ secret: randomBytes(32) })
const address: Address = `0x${'a1'.repeat(20)}`
const chains: ApiChain[] = [{ id: 1n, name: 'eth', names: ['eth'], configured: true, rpc: ['http://127.0.0.1:8545'] }]
const removed = '0x89'

/** A cursor that was signed while the server had the chain. */
const cursorOf = (operation: string, filters: object) =>
  cursors.sign(operation, { filters: { limit: 1, chain: removed, ...filters }, page: 1, after: null, walked: 1 })

const defaults = { chain: '', wallet: '', limit: 100 } as const

const lists: Record<string, () => unknown> = {
  owners: () =>
    readOwnersQuery({
      ...{ address, tokenId: null, chains, cursors },
      query: { cursor: cursorOf('nft.owners.1', { address, token_id: null }) },
    }),
  traits: () => readTraitQuery({ address, chains, cursors, query: { cursor: cursorOf('nft.traits.1', { address }) } }),
  transfers: () =>
    readTransferList({
      ...{ path: 'x', chains, cursors, transfers: { blocksBetween: async () => ({ from: null, to: null }) } },
      query: { cursor: cursorOf('nft.transfers.1', { path: 'x' }) },
    }),
  wallet: () =>
    readWalletList({
      ...{ operation: 'wallet.nfts.1', wallet: address, filters: {}, defaults, chains, cursors },
      query: { cursor: cursorOf('wallet.nfts.1', { wallet: address }) },
    }),
}

test.each(Object.keys(lists))(
  'error: rejects a cursor of %s from a chain that was removed from the server, instead of using another chain',
  async (name) => {
    await expect(async () => lists[name]!()).rejects.toThrow(
      'belongs to the chain 0x89, which this server does not have any more; allowed: omitting it',
    )
  },
)

test('error: rejects a chain without a node, and a request without a chain where there is no default', () => {
  const base: ApiChain = { id: 8453n, name: 'base', names: ['base'], configured: false, rpc: [] }
  const [eth] = chains as [ApiChain]
  expect(chainWithNode(undefined, [base, eth])).toBe(eth)
  expect(() => chainWithNode(base, [base, eth])).toThrow(
    'chain is base, which is known but not configured with a node (rpc) on this server; allowed: eth 0x1',
  )
  expect(() => chainWithNode(undefined, [base])).toThrow('chain is missing')
})
