import { expect, test } from 'vitest'
import { networkParameter } from './networks.ts'

const chainOf = (id: bigint, name: string) => ({
  id,
  name,
  names: [name],
  rpc: ['http://127.0.0.1:1'],
  configured: true,
})

test("behavior: Alchemy's name of a network is its chain, unless another chain is configured with this name", () => {
  const eth = chainOf(1n, 'eth')
  const fork = chainOf(0x1002n, 'eth-mainnet')
  expect(networkParameter({ chains: [eth] }).parse('ETH-mainnet')).toBe(eth)
  const { parse } = networkParameter({ chains: [eth, fork] })
  expect([parse('eth-mainnet'), parse('eth'), parse('0x1')]).toEqual([fork, eth, eth])
})

test('error: names each chain once, by a name that selects it', () => {
  const chains = [chainOf(1n, 'eth'), chainOf(0x1002n, 'eth-mainnet'), chainOf(137n, 'polygon')]
  const { error } = networkParameter({ chains }).safeParse('other')
  expect(error?.issues[0]?.message).toBe('is "other"; allowed: polygon-mainnet, eth, eth-mainnet')
})
