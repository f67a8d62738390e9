import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cpuMs } from '../../../test/cpuMs.ts'
import { assessSpam, defaultSpamThreshold } from './assessSpam.ts'
import type { SpamFacts } from './spamRules.ts'
import { spamRules } from './spamRules.ts'

const nothing: SpamFacts = {
  name: null,
  symbol: null,
  texts: [],
  urls: [],
  metadata: null,
  owners: null,
  mints: null,
  mintTransactions: null,
  transfers: null,
}
const airdrop = { owners: 5000, mints: 5000, mintTransactions: 25, transfers: 3 }
const rulesOf = (facts: Partial<SpamFacts>) =>
  assessSpam({ ...nothing, ...facts }).reasons.map((reason) => reason.split(' ')[0])

test('default: a collection without known facts is not spam', () => {
  expect(assessSpam(nothing)).toEqual({ score: 0, reasons: [], spam: false })
})

test('default: a voucher airdropped to thousands of owners is spam, with its reasons', () => {
  const assessed = assessSpam({
    ...nothing,
    ...airdrop,
    name: '$5,000 USDC Voucher',
    texts: ['Claim your reward at usdc-gift.xyz'],
  })
  expect(assessed).toEqual({
    score: 100,
    spam: true,
    reasons: [
      'name-call +25: voucher',
      'name-amount +25: $5,000',
      'text-claim-link +40: claim … usdc-gift.xyz',
      'airdropped +25: 5000 mints to 5000 owners in 25 transactions',
      'never-moved +10: 3 transfers after 5000 mints',
    ],
  })
})

test.each<[string, Partial<SpamFacts>]>([
  ['a link and a call in the name', { name: 'Visit aave-claim.com' }],
  ['letters that look alike', { name: 'ᴄlаim rеwаrds at uniswаp-v4.org' }],
  ['invisible characters', { name: 'Cl\u200baim at reward\u200bs.com' }],
  ['full-width letters', { name: 'ｃｌａｉｍ ｎｏｗ', texts: ['ｃｌａｉｍ: ｈｔｔｐｓ://x.example/y'] }],
  ['an amount in the name and a claim in the text', { name: '2.5 ETH', texts: ['You are eligible! https://t.me/x'] }],
  ['a hidden link', { texts: ['', 'Redeem your NFT: https://bit.ly/abc'] }],
  ['a drop with a claim', { ...airdrop, texts: ['Airdrop for holders. More at https://holder.example'] }],
])('behavior: %s is spam', (_, facts) => {
  expect(assessSpam({ ...nothing, ...facts })).toMatchObject({ spam: true })
})

test.each<[string, Partial<SpamFacts>]>([
  [
    'a project that names its site',
    { name: 'Punk Domains', texts: ['Digital identity. Visit https://punk.domains/'], urls: ['https://punk.domains/'] },
  ],
  [
    'an airdrop of attendance',
    { ...airdrop, name: 'POAP', symbol: 'POAP', metadata: { sampled: 50, distinct: 1 }, texts: ['Thanks for coming'] },
  ],
  ['a collection named after a gift', { name: 'Holiday Gift 2023', texts: ['A gift to our holders'] }],
  ['names of the field', { name: 'vitalik.eth & node.js', symbol: 'ENS' }],
  ['names in other scripts', { name: 'Пример коллекции', symbol: 'ПРИМ', texts: ['العربية‏ नमस्ते'] }],
  ['joined emoji', { name: 'Family 👨‍👩‍👧 club', symbol: '👨‍👩‍👧' }],
  [
    'a domain of its own that is traded',
    {
      name: 'pixels.xyz',
      owners: 4000,
      mints: 10_000,
      mintTransactions: 9000,
      transfers: 30_000,
      texts: ['Claim land at https://pixels.xyz'],
    },
  ],
])('behavior: %s is not spam', (_, facts) => {
  expect(assessSpam({ ...nothing, ...facts })).toMatchObject({ spam: false })
})

test('behavior: each spam rule matches exactly the facts it covers', () => {
  expect(rulesOf({ symbol: 'x-claim.io' })).toEqual(['name-link', 'name-call'])
  expect(rulesOf({ name: 'pаypal' })).toEqual(['name-disguised'])
  expect(rulesOf({ name: 'a\u202egnp' })).toEqual(['name-disguised'])
  expect(rulesOf({ texts: ['reward of 3 ETH'] })).toEqual(['text-amount'])
  expect(rulesOf({ texts: ['cla\u200bim 3 ETH'] })).toEqual(['text-amount'])
  expect(rulesOf({ urls: ['https://xn--pypal-4ve.com/'] })).toEqual(['hidden-link'])
  expect(rulesOf({ urls: ['http://203.0.113.7/claim'] })).toEqual(['hidden-link'])
  expect(rulesOf({ ...airdrop, transfers: null })).toEqual(['airdropped'])
  expect(rulesOf({ ...airdrop, transfers: 400, metadata: { sampled: 10, distinct: 1 } })).toEqual([
    'airdropped',
    'same-document',
  ])
  expect(rulesOf({ ...airdrop, mintTransactions: 251 })).toEqual([])
  expect(rulesOf({ ...airdrop, owners: 3999 })).toEqual([])
  expect(rulesOf({ owners: 100, mints: 10, transfers: 5 })).toEqual(['traded'])
  expect(rulesOf({ texts: [`claim ${'x'.repeat(300)} https://a.example`] })).toEqual([])
})

test('behavior: finds a hidden link among the metadata URLs, however many texts the metadata has', () => {
  const texts = Array.from({ length: 100 }, (_, i) => `Text ${i}`)
  expect(rulesOf({ texts, urls: ['https://bit.ly/x'] })).toEqual(['hidden-link'])
})

test('behavior: neither a single rule nor a plain airdrop reaches the threshold', () => {
  for (const { weight } of spamRules) expect(weight).toBeLessThan(defaultSpamThreshold)
  expect(assessSpam({ ...nothing, ...airdrop, metadata: { sampled: 10, distinct: 1 } }).score).toBe(45)
})

test('behavior: the threshold setting decides what is spam', () => {
  const facts = { ...nothing, name: 'pixels.xyz' }
  expect(assessSpam(facts, { threshold: 36 }).spam).toBe(false)
  expect(assessSpam(facts, { threshold: 35 }).spam).toBe(true)
})

test('behavior: docs/spam.md lists exactly the spam rules and their weights', () => {
  const docs = readFileSync(new URL('../../../docs/spam.md', import.meta.url), 'utf8')
  const listed = [...docs.matchAll(/^\| `([a-z-]+)` \| (-?\d+) \|/gm)].map(([, id, weight]) => [id, Number(weight)])
  expect(listed).toEqual(spamRules.map(({ id, weight }) => [id, weight]))
  expect(docs).toContain(`default ${defaultSpamThreshold}`)
})

const folder = fileURLToPath(new URL('../../../../shared/data/evm/metadata/zora_mocks/', import.meta.url))
test.skipIf(!existsSync(folder))(`behavior: no well-known collection scores as spam (needs ${folder})`, () => {
  const files = globSync('**/*.json', { cwd: folder })
  expect(files.length).toBeGreaterThan(12)
  for (const file of files) {
    const { name, description, external_url } = JSON.parse(readFileSync(folder + file, 'utf8'))
    const texts = [name, description].filter((text) => typeof text === 'string')
    expect(
      assessSpam({ ...nothing, name: name ?? null, texts, urls: external_url ? [external_url] : [] }).score,
      file,
    ).toBeLessThan(30)
  }
})

test('behavior: any text is assessed in bounded time, with short reasons', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('claim ', 'https://', '.com', '$5', '\u202e', '\ud800', 'а', 'a'),
  )
  const text = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 3 }), (name, symbol, texts) => {
      const { score, reasons } = assessSpam({ ...nothing, name, symbol, texts })
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(100)
      for (const reason of reasons) expect(reason).toMatch(/^[a-z-]+ [+-]\d+: [^\p{Cc}]{0,120}$/u)
    }),
    { numRuns: 1000 },
  )
  for (const hostile of ['a.', '$1,', '1', 'claim ', 'x-', 'https://a ', '\u200b', 'аa']) {
    const long = hostile.repeat(20_000)
    const hostileText = {
      ...nothing,
      name: long,
      symbol: long,
      texts: Array(60).fill(long),
      urls: Array(60).fill(long),
    }
    expect(
      cpuMs(() => assessSpam(hostileText)),
      hostile,
    ).toBeLessThan(5_000)
  }
})
