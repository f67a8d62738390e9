import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { AssetWorld, ExpectedCoin } from './assetWorld.ts'
import type { CoinClient } from './coinServer.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

type Full = ExpectedCoin & { coin_type_hash: string; asset_type: string }

async function walk(client: CoinClient, standard: string, limit: number): Promise<Full[]> {
  const all: Full[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await client.page(`limit=${limit}&standard=${standard}&cursor=${encodeURIComponent(cursor)}`)
    all.push(...(page.result as unknown as Full[]))
    cursor = page.cursor
  }
  return all
}

/** Expects responses to match the chain: the lists of each standard, coins by hash, and supplies at versions. */
export async function expectWorld(client: CoinClient, world: AssetWorld): Promise<void> {
  const expected = world.expected()
  const answers = async () => {
    const given = await walk(client, 'all', 13)
    return given.map((one) => Object.fromEntries(Object.keys(expected[0]!).map((key) => [key, one[key as keyof Full]])))
  }
  // The server caches the state of the network for a moment, so poll.
  await expect.poll(answers, { interval: 50 }).toEqual(expected)
  for (const standard of ['v1', 'v2'] as const)
    expect((await walk(client, standard, 17)).map((one) => one.coin_type)).toEqual(
      expected.filter((one) => one.token_standard === standard).map((one) => one.coin_type),
    )
  const plain = await client.walk(17)
  expect(plain.map((one) => one.coin_type)).toEqual(
    expected.filter((one) => one.token_standard === 'v1').map((one) => one.coin_type),
  )
  for (let i = 0; i < 150; i++) {
    const { coin, version, supply } = world.someSupply()
    const response = await client.get(`/coins/${hashOf(coin)}/supply?version=${version}`)
    expect(await response.json(), `${coin} at ${version}`).toMatchObject({ supply })
  }
}
