import { expect, test } from 'vitest'
import { startCoinServer } from '../../../test/aptos/coinServer.ts'
import { runCommand } from '../../../test/commandLine.ts'
import { coinSchema } from '../../api/coin/schemas.ts'
import { startDemoCoins } from './coins.ts'

test('default: the demo starts with coins and adds a new one from time to time', async () => {
  const demo = await startDemoCoins({ intervalMs: 200 })
  try {
    await using server = await startCoinServer({ mainnet: { rest: demo.url, pollIntervalMs: 50 } })
    await expect.poll(async () => (await server.walk(50)).length).toBeGreaterThanOrEqual(demo.firstCoins)
    const coins = await server.walk(50)
    for (const coin of coins) coinSchema.parse(coin)
    expect(new Set(coins.map((coin) => coin.coin_type)).size).toBe(coins.length)
    const source = ['--database-url', server.database.url, '--rest', demo.url]
    const verified = await runCommand(['coins', 'verify', ...source, '--json'])
    const { compared, differences } = JSON.parse(verified.out)
    expect([differences, compared >= demo.firstCoins]).toEqual([[], true])
    const [newest] = (await server.page('limit=1')).result
    await expect.poll(async () => (await server.page('limit=1')).result[0]?.coin_type).not.toBe(newest?.coin_type)
  } finally {
    await demo.stop()
  }
})
