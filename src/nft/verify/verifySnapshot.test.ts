import { expect, test } from 'vitest'
import type { StateReader } from '../../chain/evm/contracts/stateReader.ts'
import type { Address } from '../../util/hex.ts'
import type { WrittenSnapshot } from '../files/snapshotFacts.ts'
import type { NamedHolder } from './namedHolders.ts'
import { verifySnapshot } from './verifySnapshot.ts'

const of = (n: number): Address => `0x${String(n).padStart(40, '0')}`
const named = (tokenId: bigint, owner: Address, standard: NamedHolder['standard']) => ({ tokenId, owner, standard })
const facts = { standard: 'both', blockHash: '0xab', block: 9n, holders: 1, root: null } as unknown as WrittenSnapshot

test('behavior: ownerOf of a token with events of both standards adds no holder to those of ERC-1155', async () => {
  const reader: Partial<StateReader> = {
    node: 'node',
    anchor: async () => ({ hash: '0xab', hasCode: true }),
    owners: async (ids) => ids.map((id) => (id === 21n ? of(5) : of(7))),
    balances: async (holdings) => holdings.map(({ holder }) => (holder === of(6) ? 2n : 0n)),
  }
  const found = await verifySnapshot({
    facts,
    rows: (async function* () {
      yield [{ tokenId: 21n, owner: of(6), amount: 2n }]
    })(),
    readers: [reader as StateReader],
    // The ERC-1155 event comes after the other one, in another batch.
    named: async function* () {
      yield [named(21n, of(5), 'ERC721'), named(22n, of(7), 'ERC721')]
      yield [named(21n, of(6), 'ERC1155')]
    },
    onProgress: () => undefined,
    signal: new AbortController().signal,
  })
  expect(found.mismatches).toEqual([{ tokenId: '22', owner: of(7), file: null, chain: of(7) }])
  expect(found.named).toBe(1)
})
