import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { system } from '../../../test/system.ts'
import { AddressListError, parseAddressList } from './parseAddressList.ts'

const mixed = '0xF57F3A0b3415cC2daE6b3A3c4Fd3FC58626bE16E'
const address = mixed.toLowerCase()
const other = `0x${'11'.repeat(20)}`

const chains = [
  { id: 1n, names: ['eth', 'ethereum'] },
  { id: 0x1001n, names: ['slow', 'slow-chain'] },
]

const parse = (source: string | Uint8Array, name = '') => parseAddressList(Buffer.from(source as string), name, chains)

/** Entries as text: `chain/address`, with - for null. */
const entries = async (source: string | Uint8Array, name?: string) =>
  (await parse(source, name)).entries.map((entry) => `${entry.chainId ?? '-'}/${entry.address}`)

test('default: parses a YAML list of chain, address and score', async () => {
  expect(await parse(`---\nSpamContracts:\n- 100/${address}/31\n- 1/${other}/7\n`)).toEqual({
    entries: [
      { chainId: 100n, address },
      { chainId: 1n, address: other },
    ],
    rejected: 0,
  })
})

test.each([
  ['YAML of unquoted addresses', `- ${mixed}\n- ${other}\n`, [`-/${address}`, `-/${other}`]],
  ['YAML by chain', `137:\n  - ${mixed}\n0x1:\n  - ${other}\n`, [`137/${address}`, `1/${other}`]],
  [
    'a token list',
    JSON.stringify({
      name: 'x',
      chainId: 1,
      logoURI: 'https://x',
      keywords: ['nft'],
      tokens: [{ chainId: 137, address: mixed, name: 'N' }, { address: other }],
    }),
    [`137/${address}`, `1/${other}`],
  ],
  [
    'JSON texts',
    JSON.stringify([mixed, `1/${other}/2`, `eip155:10:${other}`]),
    [`-/${address}`, `1/${other}`, `10/${other}`],
  ],
  [
    'JSON objects',
    JSON.stringify([
      { contract_address: mixed, chain_id: '0x89', score: '7' },
      { contractAddress: other, chainId: 1 },
    ]),
    [`137/${address}`, `1/${other}`],
  ],
  ['JSON keyed by address', JSON.stringify({ [mixed]: 3, [other]: false }), [`-/${address}`]],
  ['JSON keyed by chain', JSON.stringify({ 137: [mixed], 1: { [other]: true } }), [`1/${other}`, `137/${address}`]],
  ['plain text', `# spam\n\n${mixed}\r\n  ${other}  \n`, [`-/${address}`, `-/${other}`]],
  ['plain text with slashes', `1/${mixed}/5\n137:${other}\n`, [`1/${address}`, `137/${other}`]],
  ['CSV without header', `1,${mixed},0.5\n137,${other}\n`, [`1/${address}`, `137/${other}`]],
  [
    'CSV with header',
    `name,Contract Address,chain_id,score\n"a, ""b""",${mixed},137,9\nc,${other},,\n`,
    [`137/${address}`, `-/${other}`],
  ],
  ['CSV with semicolons and a byte order mark', `\ufeffaddress;chainId\n${mixed};1\n`, [`1/${address}`]],
  ['one address', mixed, [`-/${address}`]],
])('behavior: %s', async (_, text, expected) => {
  expect(await entries(text)).toEqual(expected)
  expect(await entries(gzipSync(text))).toEqual(expected)
})

test('behavior: the name supplies the format', async () => {
  expect(await entries(`[${mixed}]`, 'https://host/list.yaml.gz?x=1')).toEqual([`-/${address}`])
})

test('behavior: an address counts once per chain', async () => {
  expect(await entries(`1/${mixed}/3\n1/${address}/9\n1/${address}\n2/${address}`)).toEqual([
    `1/${address}`,
    `2/${address}`,
  ])
})

test('behavior: nested lists are read up to 8 levels deep', async () => {
  const nested = (depth: number) =>
    JSON.stringify([other, JSON.parse(`${'['.repeat(depth)}"${address}"${']'.repeat(depth)}`)])
  expect(await entries(nested(7))).toHaveLength(2)
  expect(await entries(nested(8))).toHaveLength(1)
})

test('error: a gzip bomb is stopped during decompression', async () => {
  await expect(parse(gzipSync(Buffer.alloc(70 * 1_048_576)))).rejects.toThrow(/cannot be decompressed/)
})

test('behavior: entries that are not addresses are counted and skipped', async () => {
  expect(await parse(`${mixed}\n0x12\nhello\n${other}00\n`)).toMatchObject({ entries: [{ address }], rejected: 3 })
  expect(await parse(JSON.stringify([mixed, '0xzz', 'note', 7, null]))).toMatchObject({ rejected: 1 })
})

test.each([
  ['CSV', `chain_id,address\nother,${mixed}\nSLOW,${other}\nethereum,${other}\n9007199254740993,${other}\n`],
  [
    'JSON',
    JSON.stringify([
      { chain: 'other', address: mixed },
      { chain: 'Slow', address: other },
      { chain_id: 'Ethereum', address: other },
      `9007199254740993/${other}`,
    ]),
  ],
])(
  'behavior: an entry of an unknown chain is rejected, and each name of a chain of the server counts: %s',
  async (_, text) => {
    expect(await entries(text)).toEqual([`4097/${other}`, `1/${other}`, `9007199254740993/${other}`])
    expect(await parse(text)).toMatchObject({ rejected: 1 })
  },
)

test('behavior: an entry whose address is a key may have its chain in the value', async () => {
  const list = {
    [mixed]: { chain_id: 5, name: 'x' },
    [other]: { name: 'y' },
    [`0x${'22'.repeat(20)}`]: { chain: 'other' },
  }
  expect(await entries(JSON.stringify(list))).toEqual([`5/${address}`, `-/${other}`])
  expect(await parse(JSON.stringify(list))).toMatchObject({ rejected: 1 })
})

test('behavior: entries under a name of a chain are of that chain', async () => {
  expect(await entries(JSON.stringify({ 'slow-chain': [mixed], spam: [other] }))).toEqual([
    `4097/${address}`,
    `-/${other}`,
  ])
})

test.each([
  ['a name', 'Some Network'],
  ['an object', { id: 137 }],
  ['zero', 0],
])('behavior: each entry below an unknown chain is rejected, unless it has its own: %s', async (_, chain) => {
  const list = await parse(
    JSON.stringify({ chain, spam: [mixed, other], more: { [mixed]: true }, own: [`eip155:5:${other}`] }),
  )
  expect(list).toMatchObject({ entries: [{ chainId: 5n, address: other }], rejected: 3 })
})

test.each([
  ['nothing', ''],
  ['no address', 'hello\nworld'],
  ['an empty line', '\n'],
  ['an empty JSON object', '{}'],
  ['a comment and no address', '# contracts\nhello'],
  ['broken JSON', '[{"address":'],
  ['broken YAML', `---\na: [${mixed}\nb: "`],
  ['broken gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3])],
  [
    'a bomb of YAML aliases',
    `---\na: &a [${other},${other}]\n${'bcdefghijkl'
      .split('')
      .map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefghijkl'[i]}`)}]`)
      .join('\n')}\n`,
  ],
  ['deeply nested JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
])('error: rejects %s', async (_, source) => {
  await expect(parse(source)).rejects.toThrow(AddressListError)
})

test.each([
  ['an empty JSON list', ' []\n', ''],
  ['only comments', '# contracts\n\n  # none\n', 'own.txt'],
  ['only comments of YAML', '# none', 'own.yaml'],
])('behavior: a list whose last contract was removed is empty: %s', async (_, source, name) => {
  expect(await parse(source, name)).toEqual({ entries: [], rejected: 0 })
})

const folder = fileURLToPath(new URL('../../../../shared/data/evm/lists/', import.meta.url))
test.skipIf(!existsSync(folder)).for([
  ['goldrush_gnosis_nft_spam.yaml.gz', 68_883, 100n],
  ['sequence_mainnet_erc721.json.gz', 2934, 1n],
  ['sequence_mainnet_erc1155.json.gz', 577, 1n],
  ['sequence_polygon_erc721.json.gz', 59, 137n],
] as const)(`behavior: parses the whole published list %s (needs ${folder})`, system, async ([name, size, chainId]) => {
  for (const hint of [name, undefined]) {
    const list = await parseAddressList(readFileSync(folder + name), hint ?? '', chains)
    expect(list.rejected).toBe(0)
    expect(list.entries).toHaveLength(size)
    expect(new Set(list.entries.map((entry) => entry.chainId))).toEqual(new Set([chainId]))
    expect(list.entries.every((entry) => /^0x[\da-f]{40}$/.test(entry.address))).toBe(true)
  }
})
