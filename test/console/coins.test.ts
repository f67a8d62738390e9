// @module-tag system

import { expect, test } from 'vitest'
import { coinTypeHash } from '../../src/coin/decode/coin.ts'
import { hashesOf, coinTypeHash as hashInPage, hashOf } from '../../web/views/coins/coinHash.ts'
import { seedCoins, seededAsset, seededCoin, seededState } from '../seedCoins.ts'
import { system } from '../system.ts'
import { consoleTest, lookAt, useConsole } from './consoleTest.ts'

const hostile = '<img src=x onerror=alert(1)>\u202e"\'</script>'
const strangeType = '0x77::coins::Coin<0x1::a::B, vector<u8>>'
const types = ['0x1::aptos_coin::AptosCoin', strangeType, '', 'ü\u{1f984}\u0000', 'x'.repeat(10_000)]

const paired = seededAsset(101, {
  version: 50n,
  asset: {
    iconUri: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="5" cy="5" r="4" fill="red"/></svg>')}`,
    projectUri: 'https://project.example/"><b>',
    pairedType: strangeType,
  },
})
const hostileAsset = seededAsset(102, {
  version: 50n,
  asset: { iconUri: 'javascript:alert(1)', projectUri: 'javascript:alert(1)//https://x.example', pairedType: null },
})

const console = useConsole({
  config: { aptos: { mainnet: { rest: 'http://127.0.0.1:1' }, testnet: { rest: 'http://127.0.0.1:1' } } },
  async seed({ database: { db } }) {
    const coins = Array.from({ length: 60 }, (_, n) => seededCoin(n))
    const strange = seededCoin(100, { type: strangeType, name: hostile, symbol: hostile })
    const states = [seededState(paired, 101n, { supply: 1_234_567_890n, maximum: 10n ** 18n })]
    await seedCoins(db, { coins: [...coins, strange, paired, hostileAsset], states, from: 0n, to: 200n })
    await seedCoins(db, { network: 'testnet', coins: [seededCoin(7)], from: 0n, to: 10n })
  },
})

test('default: the page and the server compute the same coin type hash', () => {
  expect(hashesOf('0xa')).toContain(coinTypeHash(`0x${'a'.padStart(64, '0')}`))
  expect(hashesOf(paired.type)).toContain(paired.hash)
  for (const type of types) expect(hashInPage(type), type.slice(0, 40)).toBe(coinTypeHash(type))
  const hash = coinTypeHash(strangeType)
  for (const text of [hash, `0x${hash}`, hash.toUpperCase(), strangeType]) expect(hashOf(text).hash).toBe(hash)
})

consoleTest('default: search finds a coin by type or hash, and the URL keeps it', async () => {
  const page = await console().open('/console/coins')
  const find = async (text: string) => {
    await page.getByLabel('Type, address or hash').fill(text)
    await page.keyboard.press('Enter')
  }
  const record = page.getByRole('region', { name: 'Coin', exact: true })
  await find(strangeType)
  await record.getByText(strangeType, { exact: true }).waitFor()
  await page.getByText(`Its hash is ${coinTypeHash(strangeType)}`).waitFor()
  await record.getByText(hostile).first().waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  const other = seededCoin(7)
  await find(`0x${other.hash.toUpperCase()}`)
  await record.getByText(other.type, { exact: true }).waitFor()
  await page.reload()
  await record.getByText(other.type, { exact: true }).waitFor()
  await find('0x1::no::Coin')
  await record.getByText('No coin of mainnet has this type or address').waitFor()
})

consoleTest(
  'default: search finds an asset by address, and shows its supply, paired coin and project link',
  async () => {
    const page = await console().open(`/console/coins?q=${paired.type}`)
    const record = page.getByRole('region', { name: 'Coin', exact: true })
    await record.getByText('Fungible asset (v2)').waitFor()
    // This server's preview workers draw the icon.
    const icon = record.getByRole('img', { name: 'Icon' })
    await expect.poll(() => icon.getAttribute('src').catch(() => null)).toMatch(/^\/media\/[0-9a-f]{64}\/low\.webp$/)
    const width = `(async (icon) => (await icon.decode(), icon.naturalWidth))(document.querySelector('img[alt="Icon"]'))`
    await expect.poll(() => page.evaluate(width).catch(() => null)).toBe(100)
    await record.getByText('12.3456789', { exact: true }).waitFor()
    await record.getByText('10,000,000,000', { exact: true }).waitFor()
    expect(await record.getByRole('link', { name: 'https://project.example' }).getAttribute('href')).toBe(
      'https://project.example/%22%3E%3Cb%3E',
    )
    await record.getByRole('link', { name: strangeType }).click()
    await record.getByText('Coin (v1)').waitFor()
    await record.getByRole('link', { name: paired.type }).waitFor()
  },
)

consoleTest(
  'error: URLs from untrusted metadata are shown as text, and neither loaded nor linked unless they are web URLs',
  async () => {
    const page = await console().open(`/console/coins?q=${hostileAsset.type}`)
    const record = page.getByRole('region', { name: 'Coin', exact: true })
    await record.getByText('javascript:alert(1)//https://x.example').waitFor()
    await record.getByText('no image URL').waitFor()
    expect(await record.getByRole('link').count()).toBe(0)
    expect(await page.locator('main img').count()).toBe(0)
  },
)

consoleTest('behavior: the latest coins appear without a reload, and older coins are paged', system, async () => {
  const page = await console().open('/console/coins')
  const table = page.getByRole('region', { name: 'Latest coins' }).last()
  const newest = () => table.getByRole('row').nth(1).textContent()
  await table.getByRole('row').nth(50).waitFor()
  expect(await newest()).toContain(hostile)
  await seedCoins(console().server.database.db, {
    coins: [seededCoin(300, { name: 'The newest' })],
    from: 201n,
    to: 300n,
  })
  await expect.poll(newest).toContain('The newest')
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(15)
  await page.getByText('As curl').click()
  await page.getByText(/\/coins\/latest\?limit=50&cursor=/).waitFor()
})

consoleTest(
  'behavior: the coins view switches networks, and shows the server’s error for an unknown network',
  async () => {
    const page = await console().open('/console/coins', { key: console().readKey, expected: /status of 404/ })
    const of = async (network: string) => {
      await page.getByLabel('Network').fill(network)
      await page.getByRole('button', { name: 'Find' }).click()
    }
    await of('testnet')
    await expect.poll(() => page.getByRole('region', { name: 'Latest coins' }).last().getByRole('row').count()).toBe(2)
    await of('nowhere')
    await page
      .getByRole('alert')
      .getByText(/is not configured on this server/)
      .first()
      .waitFor()
  },
)

consoleTest('behavior: the coins view renders in every width and colour scheme', system, () =>
  lookAt(console(), {
    path: `/console/coins?q=${encodeURIComponent(strangeType)}`,
    name: 'coins',
    ready: async (page) => {
      await page.getByRole('region', { name: 'Coin', exact: true }).getByText(strangeType, { exact: true }).waitFor()
      await page.getByRole('region', { name: 'Latest coins' }).last().getByRole('row').nth(50).waitFor()
    },
  }),
)
