import { afterEach, expect, test, vi } from 'vitest'
import type { ContractIdentity } from '../../chain/evm/contracts/contract.ts'
import type { Address } from '../../util/hex.ts'
import { createTokenReader } from './tokenReader.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const hour = 3_600_000

/** Returns a function that moves the clock of the cache. */
function fakeClock(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  return (ms) => {
    now += ms
    // The cache keeps the time for a millisecond.
    vi.advanceTimersByTime(ms)
  }
}
const [older, newer] = [
  '0x00000000000000000000000000000000000000aa',
  '0x00000000000000000000000000000000000000bb',
] as const

/** A reader of contracts whose names show how often they were read, from the `named`th time on. */
function open(named = 1) {
  const reads = new Map<Address, number>()
  const contracts = {
    async identify(address: Address) {
      const count = (reads.get(address) ?? 0) + 1
      reads.set(address, count)
      return {
        hasCode: true,
        name: count < named ? undefined : `read ${count}`,
        symbol: '',
        decimals: 18,
      } as unknown as ContractIdentity
    },
    hasToken: async () => false,
  }
  const reader = createTokenReader({ contracts, chain: { id: 1n } })
  const names = async () => {
    const tokens = await reader.read(new Map([older, newer].map((address) => [address, []])), 1n)
    return [older, newer].map((address) => tokens.get(address)?.name)
  }
  return { reader, names }
}

test('behavior: a contract and its tokens are queried at a block that has their logs', async () => {
  const contracts = {
    identify: async (_: Address, { since = 0n } = {}) => ({ hasCode: since >= 7n, name: 'A' }) as ContractIdentity,
    hasToken: async (_: Address, __: readonly bigint[], { since = 0n } = {}) => since >= 7n,
  }
  const reader = createTokenReader({ contracts, chain: { id: 1n } })
  const tokens = await reader.read(new Map([[newer, [5n]]]), 7n)
  expect(tokens.get(newer)).toMatchObject({ unindexed: 'tokenId' })
})

test('behavior: after a reorganisation, tokens that were read lately are read again', async () => {
  const pass = fakeClock()
  const { reader, names } = open()
  await reader.read(new Map([[older, []]]), 1n)
  pass(2 * hour)
  expect(await names()).toEqual(['read 1', 'read 1'])
  reader.forgetRecent()
  expect(await names()).toEqual(['read 1', 'read 2'])
})

test('behavior: tokens are read again after a day, as a contract can change its name', async () => {
  const pass = fakeClock()
  const { names } = open()
  await names()
  pass(23 * hour)
  expect(await names()).toEqual(['read 1', 'read 1'])
  pass(2 * hour)
  expect(await names()).toEqual(['read 2', 'read 2'])
})

test('behavior: the name of a contract that has none yet is read again after ten minutes, or a reorganisation', async () => {
  const pass = fakeClock()
  const { reader, names } = open(3)
  expect(await names()).toEqual(['', ''])
  pass(hour / 6 + 1)
  expect(await names()).toEqual(['', ''])
  reader.forgetRecent()
  expect(await names()).toEqual(['read 3', 'read 3'])
})
