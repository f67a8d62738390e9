import { expect, test } from 'vitest'
import { knownChains } from '../chain/evm/chains.ts'
import { ConfigError } from '../util/errors.ts'
import { type ConfigInput, parseConfig } from './config.ts'
import { resolveChains } from './resolveChains.ts'

function faultsOf(input: unknown): string {
  try {
    parseConfig(input)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message
  }
  throw new Error('the configuration was accepted')
}

test('default: an empty configuration gets all defaults', () => {
  expect(parseConfig({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    role: 'all',
    apiKey: null,
    databaseUrl: null,
    databaseReadUrl: null,
    dataDir: './.mintmark',
    chains: {},
    rateLimit: { requestsPerSecond: 1_000, burst: 5_000 },
    demand: { maxQueuedPerKey: 1_000, maxQueued: 10_000 },
  })
})

test('error: lists every configuration error, not only the first', () => {
  const message = faultsOf({
    port: 70_000,
    host: '',
    role: 'boss',
    apiKey: '',
    databaseUrl: 'mysql://x',
    rateLimit: { burst: 0 },
    colour: 'red',
    rpc: { timeout: 1 },
  })
  expect(message.split('\n').sort()).toEqual([
    '  - apiKey is empty; allowed: text of at most 1024 characters, without control characters, or spaces at its ends',
    expect.stringMatching(/^ {2}- colour is not a setting; allowed: port, host, .*shutdownTimeoutMs$/),
    '  - databaseUrl does not fit; allowed: an address such as postgres://user:password@host:5432/database',
    '  - host is empty; allowed: text that is not empty',
    '  - port is 70000; allowed: a whole number from 0 to 65535',
    '  - rateLimit.burst is 0; allowed: a whole number above 0, to 10000000',
    '  - role does not fit; allowed: all, api, sync or deliver',
    '  - rpc.timeout is not a setting; did you mean rpc.timeoutMs?',
    'the configuration has errors:',
  ])
})

test.each([
  ['postgres://u:p@h/x?port=abc', 'has an invalid port; allowed: 1 to 65535'],
  ['postgres://u:p@h/x?port=70000', 'has an invalid port; allowed: 1 to 65535'],
  ['postgres://u:p@h/x?sslrootcert=/nowhere/ca.pem', 'specifies a file in sslrootcert that cannot be read'],
  ['postgres://u:p@h:70000/x', 'cannot be read: write special characters'],
  ['mysql://u:p@h:70000/x', 'does not fit; allowed: an address such as postgres://'],
])('error: rejects %s as databaseUrl: %s', (databaseUrl, fault) => {
  const lines = faultsOf({ databaseUrl }).split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`databaseUrl ${fault}`)
})

test('error: rejects databaseReadUrl without databaseUrl, and with an invalid address', () => {
  const databaseReadUrl = 'postgres://u:p@h/x'
  expect(faultsOf({ databaseReadUrl })).toContain('databaseReadUrl is set without databaseUrl')
  expect(faultsOf({ databaseUrl: databaseReadUrl, databaseReadUrl: 'postgres://u:p@h/x?port=abc' })).toContain(
    'databaseReadUrl has an invalid port',
  )
})

test('default: accepts database URLs in every form that the driver accepts', () => {
  for (const databaseUrl of [
    'postgres://u:p@h/x?port=5433&sslmode=require',
    'postgres://u:p@/x?host=/var/run/postgresql',
    'postgresql:///x?host=/run&port=&user=u',
  ])
    expect(parseConfig({ databaseUrl })).toMatchObject({ databaseUrl })
})

test.each([
  ['an array', []],
  ['text', 'port'],
  ['null', null],
  ['nothing, as of a module without a default export', undefined],
])('error: rejects %s as a configuration', (_, input) => {
  expect(faultsOf(input)).toContain('the configuration is ')
})

test('error: rejects an age so long that it exceeds the range of dates', () => {
  expect(faultsOf({ webhooks: { terminateAfterMs: Number.MAX_SAFE_INTEGER } })).toContain(
    'webhooks.terminateAfterMs is 9007199254740991; allowed: a whole number from 1 to 3155760000000',
  )
})

test.each([
  ['a fraction', 80.5],
  ['text', '8080'],
  ['below zero', -1],
  ['not a number', Number.NaN],
])('error: rejects a port that is %s', (_, port) => {
  expect(faultsOf({ port })).toContain('port is ')
})

test('error: reports each invalid chain by its name', () => {
  const message = faultsOf({
    chains: {
      nodeless: { id: '0x7a69' },
      idless: { rpc: ['http://127.0.0.1:8545'] },
      eth: { id: '0x5' },
      one: { id: '0x99', rpc: ['http://127.0.0.1:1'] },
      two: { id: '0x0099', rpc: ['http://127.0.0.1:2'] },
      numbered: { id: 7 },
      '0x10': { id: '0x11', rpc: ['http://127.0.0.1:3'] },
      '0x012': { id: '0x12', rpc: ['http://127.0.0.1:4'] },
    },
  })
  expect(message).toContain('chains.numbered.id is a number')
  expect(message).toContain('chains.0x10 has the id 0x11, but its name is another id; take another name')
  expect(message).not.toContain('chains.0x012')
  expect(message).toContain(
    'chains.nodeless.rpc is missing, and neither "nodeless" nor 0x7a69 is a known chain; allowed: a list of http:// or https:// addresses, at least one',
  )
  expect(message).toContain(
    'chains.idless.id is missing, and "idless" is not a known chain; allowed: the chain id in hex, such as "0x7a69"',
  )
  expect(message).toContain('chains.eth.id is 0x5, but eth is 0x1')
  expect(message).toContain('chains.two has the same id as chains.one')
})

test.each([
  ['no hex', { id: '31337', rpc: ['http://a'] }, 'chains.x.id'],
  [
    'another protocol',
    { id: '0x1f', rpc: ['ftp://a'] },
    'chains.x.rpc[0] does not fit; allowed: an http:// or https:// address',
  ],
  ['no nodes', { id: '0x1f', rpc: [] }, 'chains.x.rpc'],
  [
    'an unknown field',
    { id: '0x1f', rpc: ['http://a'], speed: 1 },
    'chains.x.speed is not a setting; allowed: id, rpc, ',
  ],
  ['a poll interval of zero', { id: '0x1f', rpc: ['http://a'], pollIntervalMs: 0 }, 'chains.x.pollIntervalMs'],
])('error: rejects a chain with %s', (_, chain, fault) => {
  expect(faultsOf({ chains: { x: chain } })).toContain(fault)
})

test.each([
  [{ prot: 1 }, 'prot is not a setting; did you mean port?'],
  [{ LogLevel: 'info' }, 'LogLevel is not a setting; did you mean logLevel?'],
  [{ burst: 1 }, 'burst is not a setting; did you mean rateLimit.burst or apiKeyRateLimit.burst?'],
  [{ rateLimit: { brust: 1 } }, 'rateLimit.brust is not a setting; did you mean rateLimit.burst?'],
  [
    { chains: { eth: { confirmation: 1 } } },
    'chains.eth.confirmation is not a setting; did you mean chains.eth.confirmations?',
  ],
  [{ webhooks: { x: 1 } }, 'webhooks.x is not a setting; allowed: retryDelaysMs, '],
  [{ chains: { etherium: {} } }, '"etherium" is not a known chain; did you mean ethereum?'],
])('error: suggests the intended key for a misspelt one (%#)', (input, fault) => {
  expect(faultsOf(input)).toContain(fault)
})

test('default: a chain that viem defines can be added by its name alone', () => {
  const resolved = (chains: ConfigInput['chains']) =>
    resolveChains(parseConfig({ chains })).filter(({ configured }) => configured)
  expect(resolved({ base: {}, 'base-sepolia': { confirmations: 3 }, zerog: {}, bsctestnet: {} })).toMatchObject([
    { id: 0x61n, name: 'bsc testnet', names: expect.arrayContaining(['bsctestnet']) },
    { id: 8453n, name: 'base', names: ['base'], rpc: ['https://mainnet.base.org'], confirmations: 12 },
    {
      ...{ id: 84532n, name: 'base-sepolia', names: ['base-sepolia', 'basesepolia', 'base sepolia'] },
      ...{ rpc: ['https://sepolia.base.org'], confirmations: 3 },
    },
    { id: 16600n, name: 'zerog', rpc: [expect.stringMatching(/^https:/)] },
  ])
  // A title is a name too, and viem exports this chain twice.
  const multicall = '0xf9cda624fbc7e059355ce98a31693d299facd963'
  expect(resolved({ 'op mainnet': {}, 'zk-sync': {} })).toMatchObject([
    { id: 10n, names: ['op mainnet', 'optimism', 'op-mainnet'] },
    { id: 324n, names: ['zk-sync', 'zksync', 'zksync era', 'zksync-era'], multicall },
  ])
})

test('behavior: configured fields override the viem definition of a chain', () => {
  const rpc = ['http://127.0.0.1:8545']
  const multicall = `0x${'Ab'.repeat(20)}`
  const chains = { base: { rpc }, hardhat: { id: '0x539', rpc }, zksync: { multicall }, mine: { id: '0xa' } }
  const named = { 'op mainnet': { id: '0x7777', rpc } }
  expect(resolveChains(parseConfig({ chains: { ...chains, ...named } })).slice(knownChains.length)).toMatchObject([
    { id: 8453n, rpc },
    { id: 1337n, names: ['hardhat'], rpc },
    { id: 324n, rpc: ['https://mainnet.era.zksync.io'], multicall: multicall.toLowerCase() },
    // The title of the chain with this id is the name of another one here.
    { id: 10n, name: 'mine', names: ['mine', 'optimism', 'op-mainnet'], rpc: ['https://mainnet.optimism.io'] },
    { id: 0x7777n, names: ['op mainnet'], rpc },
  ])
  expect(faultsOf({ chains: { base: {}, mine: { id: '0x2105', rpc } } })).toContain('the same id as chains.base')
})

const several = 'hyperevm, hyperliquid, wanchaintestnet'
test.each<[NonNullable<ConfigInput['chains']>, string]>([
  [{ base: { id: '0x539' } }, 'base.rpc is missing, and "base" is known as 0x2105, not as 0x539'],
  [{ opitmism: {} }, 'is not a known chain; did you mean optimism?'],
  [{ 'polygon-mainnet': {} }, 'is not a known chain; did you mean polygon?'],
  [{ basesepoli: {} }, 'did you mean basesepolia?'],
  [{ '0x3e7': {} }, `did you mean ${several} or zoratestnet?`],
  [{ mine: { id: '0x3e7' } }, `the id of several known chains, which are requested by name: ${several}, zoratestnet`],
  [{ mine: { id: '0x7777' } }, 'rpc is missing, and neither "mine" nor 0x7777 is a known chain'],
  [{ '0g galileo testnet': {} }, 'did you mean zeroggalileotestnet or zerogtestnet?'],
  [{ hyperevm: {}, hyperliquid: {} }, 'chains.hyperliquid has the same id as chains.hyperevm'],
  // viem's nodes of these are on the developer's own machine, or not https.
  [{ hardhat: {} }, 'chains.hardhat.rpc is missing, and no public node of hardhat is known'],
  [{ xpheretestnet: {} }, 'no public node of xpheretestnet is known'],
  [{ x: { id: '0x1f', rpc: ['http://a'], multicall: '0x12' } }, 'chains.x.multicall does not fit; allowed: an address'],
])('error: rejects chains that no known definition completes (%#)', (chains, fault) => {
  expect(faultsOf({ chains })).toContain(fault)
})

test('error: rejects a chain name that API requests could not use', () => {
  expect(faultsOf({ chains: { 'My Chain': { id: '0x1f', rpc: ['http://a'] } } })).toContain(
    'chains."My Chain" is a name that does not fit; allowed: the name of a chain, 1 to 40 of a–z',
  )
})

test('behavior: chains are found by any of their names, and a partial setting keeps the other defaults', () => {
  const chains = resolveChains(parseConfig({ chains: { matic: { rpc: ['http://127.0.0.1:1'] } } }))
  expect(chains.map(({ id }) => id)).toEqual(knownChains.map(({ id }) => id))
  expect(chains.map(({ id }) => `0x${id.toString(16)}`)).toEqual(
    expect.arrayContaining('0x1 0x5 0xaa36a7 0x89 0x13881 0x38 0x61 0xa86a 0xfa 0x2a15c308d 0x19 0xa4b1'.split(' ')),
  )
  expect(chains.filter(({ configured }) => configured)).toMatchObject([
    { id: 0x89n, name: 'polygon', rpc: ['http://127.0.0.1:1'], confirmations: 100, finalityDepth: 256 },
  ])
})

test('behavior: an added chain works like a built-in one', () => {
  const chains = resolveChains(parseConfig({ chains: { local: { id: '0x7A69', rpc: ['http://127.0.0.1:8545'] } } }))
  expect(chains).toHaveLength(knownChains.length + 1)
  expect(chains.at(-1)).toEqual({
    id: 31_337n,
    name: 'local',
    names: ['local'],
    rpc: ['http://127.0.0.1:8545'],
    confirmations: 12,
    finalityDepth: 64,
    pollIntervalMs: 1_000,
    wallets: 'chain',
    configured: true,
  })
})

test.each([
  [{ publicUrl: 'https://host/path?x=1' }, 'publicUrl must have no query'],
  [{ publicUrl: 'https://user:hidden@host' }, 'publicUrl must have no query'],
  [
    { aptos: { mainnet: { grpc: 'https://host:443?key=hidden' } } },
    'aptos.mainnet.grpc does not fit; allowed: host:port',
  ],
  [{ aptos: { mainnet: { grpc: 'user:hidden@host:443' } } }, 'aptos.mainnet.grpc does not fit; allowed: host:port'],
  [
    { aptos: { mainnet: { grpc: 'host', silenceMs: 5_000, maxHeadAgeMs: 9_000 } } },
    'aptos.mainnet.maxHeadAgeMs must be at least twice silenceMs',
  ],
  [
    { media: { store: 's3', s3: { endpoint: 'https://user:hidden@host', bucket: 'b1' } } },
    's3.endpoint must have no user',
  ],
])('error: rejects unusable settings without showing secrets (%#)', (input, message) => {
  const text = faultsOf(input)
  expect(text).toContain(message)
  expect(text).not.toContain('hidden')
})

test.each(['host:443', 'host', 'https://host/', 'http://[::1]:50051'])(
  'default: accepts %s as a gRPC stream address',
  (grpc) => {
    expect(parseConfig({ aptos: { mainnet: { grpc } } }).aptos.mainnet?.grpc).toBe(grpc)
  },
)
