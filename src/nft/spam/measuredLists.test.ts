import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { assessSpam } from './assessSpam.ts'
import type { SpamFacts } from './spamRules.ts'

const unknown: SpamFacts = {
  ...{ name: null, symbol: null, texts: [], urls: [], metadata: null },
  ...{ owners: null, mints: null, mintTransactions: null, transfers: null },
}

type Text = string | null | undefined
type Listed = { name?: Text; symbol?: Text; extensions?: { description?: Text; link?: Text } | null }

const folder = fileURLToPath(new URL('../../../../shared/data/evm/lists/', import.meta.url))
const lists = ['sequence_mainnet_erc721', 'sequence_mainnet_erc1155', 'sequence_polygon_erc721']

/** The figures are in docs/spam.md. */
test.skipIf(!existsSync(folder))(
  `behavior: at most one in 1,000 known collections is classified as spam (needs ${folder})`,
  () => {
    const listed = lists.flatMap((list) => {
      const text = gunzipSync(readFileSync(`${folder}${list}.json.gz`)).toString()
      return (JSON.parse(text) as { tokens: Listed[] }).tokens
    })
    const spam = listed.filter(({ name, symbol, extensions }) => {
      const texts = [name, extensions?.description].filter((one) => typeof one === 'string')
      const urls = [extensions?.link].filter((one) => typeof one === 'string')
      return assessSpam({ ...unknown, name: name ?? null, symbol: symbol ?? null, texts, urls }).spam
    })
    expect(listed.length).toBeGreaterThan(3_500)
    expect(spam.length, spam.map(({ name }) => name).join()).toBeLessThanOrEqual(listed.length / 1_000)
  },
)
