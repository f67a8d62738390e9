import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeError } from '../util/errors.ts'
import { isDebugging, loadConfig } from './loadConfig.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mintmark-config-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const put = (name: string, text: string) => writeFileSync(join(cwd, name), text)

test('default: loads defaults without a file, variables or flags', async () => {
  expect(await loadConfig({ cwd, env: {} })).toMatchObject({ port: 8080, role: 'all' })
})

test.each([
  ['mintmark.config.json', '{ "port": 1234 }'],
  ['mintmark.config.js', 'export default { port: 1234 }'],
  ['mintmark.config.ts', 'const port: number = 1234\nexport default { port }'],
])('behavior: finds the configuration file %s', async (name, text) => {
  put(name, text)
  expect(await loadConfig({ cwd, env: {} })).toMatchObject({ port: 1234 })
})

test('behavior: flags override variables and variables override the file, key by key', async () => {
  put(
    'other.json',
    JSON.stringify({ port: 1, host: 'file', dataDir: 'file', rateLimit: { burst: 1, requestsPerSecond: 7 } }),
  )
  const config = await loadConfig({
    cwd,
    file: 'other.json',
    env: { MINTMARK_PORT: '2', MINTMARK_HOST: 'env', MINTMARK_RATE_LIMIT__BURST: '3', HOME: '/root' },
    flags: { port: 4, dataDir: undefined },
  })
  expect(config).toMatchObject({
    port: 4,
    host: 'env',
    dataDir: 'file',
    rateLimit: { burst: 3, requestsPerSecond: 7 },
  })
})

test('behavior: variables of every type are parsed', async () => {
  const config = await loadConfig({
    cwd,
    env: {
      MINTMARK_API_KEY: '12345',
      MINTMARK_DATABASE_URL: 'null',
      MINTMARK_METRICS_PUBLIC: 'true',
      MINTMARK_CORS__ORIGINS: '["https://a.example"]',
      MINTMARK_CHAINS: '{"local":{"id":"0x7a69","rpc":["http://127.0.0.1:8545"]}}',
      MINTMARK_API_KEY_RATE_LIMIT: '{"burst":5}',
      MINTMARK_API_KEY_RATE_LIMIT__REQUESTS_PER_SECOND: '0.5',
      MINTMARK_LOG_LEVEL: 'warn',
      MINTMARK_DATA_DIR: '',
    },
  })
  expect(config).toMatchObject({
    apiKey: '12345',
    databaseUrl: null,
    metricsPublic: true,
    cors: { origins: ['https://a.example'] },
    chains: { local: { id: '0x7a69' } },
    apiKeyRateLimit: { burst: 5, requestsPerSecond: 0.5 },
    logLevel: 'warn',
    dataDir: './.mintmark',
  })
})

test('error: each error of a chain takes one line and shows where the value was set', async () => {
  put('mintmark.config.json', '{ "chains": { "a": { "id": "12", "rpc": "http://x" }, "b": { "rpc": [] }, "c": {} } }')
  const from = `(set by ${join(cwd, 'mintmark.config.json')})`
  const nodes = 'allowed: a list of http:// or https:// addresses, at least one'
  const error = await loadConfig({ cwd, env: {} }).catch((e) => e)
  expect(error.message.split('\n').slice(1)).toEqual([
    `  - chains.a.id does not fit; allowed: the chain id in hex, such as "0x7a69" ${from}`,
    `  - chains.a.rpc is text; ${nodes} ${from}`,
    `  - chains.b.rpc is empty; ${nodes} ${from}`,
    `  - chains.c.id is missing, and "c" is not a known chain; allowed: the chain id in hex, such as "0x7a69" ${from}`,
    `  - chains.c.rpc is missing, and "c" is not a known chain; ${nodes} ${from}`,
  ])
})

test.each(['https://a.example/', 'https://a.example/page', 'a.example', ''])(
  'error: %j is not an origin of web pages',
  async (origin) => {
    const env = {
      MINTMARK_CORS__ORIGINS: JSON.stringify(['http://localhost:3000', 'null', 'capacitor://localhost', origin]),
    }
    const error = await loadConfig({ cwd, env }).catch((e) => e)
    expect(error.message).toContain('cors.origins[3]')
    expect(error.message).toContain('an origin without a path, such as https://app.example')
    expect(error.message).not.toContain('origins[2]')
  },
)

test('error: errors of variables and of values are listed together', async () => {
  put('mintmark.config.json', '{ "hots": "x" }')
  const env = { MINTMARK_PORTT: '1', MINTMARK_CONSTRUCTOR: '1', MINTMARK_PORT: 'eighty', MINTMARK_RPC__NAME: '1' }
  const error = await loadConfig({ cwd, env }).catch((e) => e)
  expect(error).toMatchObject({ name: 'ConfigError', code: 'CONFIG' })
  const file = join(cwd, 'mintmark.config.json')
  expect(error.message.split('\n').slice(1)).toEqual([
    '  - MINTMARK_PORTT is not a setting; did you mean MINTMARK_PORT?',
    expect.stringContaining('- MINTMARK_CONSTRUCTOR is not a setting; allowed: the names in docs/configuration.md'),
    expect.stringContaining('- MINTMARK_RPC__NAME is not a setting'),
    '  - port is text; allowed: a whole number from 0 to 65535 (set by MINTMARK_PORT)',
    `  - hots is not a setting; did you mean host? (set by ${file})`,
  ])
})

test('error: rejects a requested configuration file that does not exist', async () => {
  await expect(loadConfig({ cwd, env: {}, file: 'nowhere.json' })).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringContaining('nowhere.json does not exist'),
  })
})

test.each([
  ['json', '{ port: 1 }'],
  ['js', 'export default {'],
  ['ts', 'throw new Error("boom")'],
])('error: rejects a broken .%s file', async (extension, text) => {
  put(`mintmark.config.${extension}`, text)
  await expect(loadConfig({ cwd, env: {} })).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringContaining('cannot be read'),
    cause: expect.anything(),
  })
})

test.each([
  ['a.json', '{\n  "apiKey": "k3y-of-9e1f77c2', 'no JSON at line 2'],
  ['b.json', '{\n  "apiKey": k3y-of-9e1f77c2\n}', 'no JSON at line 2'],
  ['c.json', '{\n  "a": 1\n  "apiKey": "k3y-of-9e1f77c2"\n}', 'no JSON at line 3'],
  ['e.js', '\nexport default { apiKey: k3yOf9e1f77c2 }', 'ReferenceError at line 2'],
  ['f.js', "\nnew URL('k3y-of-9e1f77c2')\nexport default {}", 'TypeError at line 2'],
])('error: the error about %s does not quote the file', async (name, text, fault) => {
  put(name, text)
  const error = await loadConfig({ cwd, env: {}, file: name }).catch((e: Error) => e)
  expect(describeError(error)).toBe(`the configuration file ${join(cwd, name)} cannot be read: ${fault}`)
  expect(inspect(error, { depth: 9 })).not.toMatch(/k3y/i)
})

test('error: the error about an invalid value shows its key but not the value', async () => {
  const key = 'k3y-of-9e1f77c2'
  const input = {
    apiKey: 5,
    databaseUrl: `postgres://u:${key}@host:999999/db`,
    logLevel: key,
    chains: { [`https://${key}`]: { rpc: [key] }, eth: { rpc: [`htp://${key}`], [`https://h/${key}`]: 1 } },
    aptos: { x: { rest: `https://[${key}`, grpc: `u:${key}@host`, token: [key] } },
    webhooks: { operationsUrl: `https://u:${key}@host/` },
    outbound: { allow: [key], ipfsGateways: [`ftp://${key}`] },
    media: { store: 's3', s3: { endpoint: key, accessKeyId: [key], secretAccessKey: { key } } },
  }
  put('refused.json', JSON.stringify(input))
  const error = await loadConfig({ cwd, env: { MINTMARK_RPC: key }, file: 'refused.json' }).catch((e: Error) => e)
  const { message } = error as Error
  for (const path of [
    'apiKey is a number; allowed: text',
    'databaseUrl ',
    'chains.eth.rpc[0] ',
    'aptos.x.rest ',
    'aptos.x.grpc ',
    'media.s3.endpoint ',
    'MINTMARK_RPC is not JSON',
  ])
    expect(message).toContain(path)
  expect(inspect(error, { depth: 9 })).not.toContain(key)
})

test.each([
  ['[]', 'a list'],
  ['[{ "port": 1 }]', 'a list'],
  ['null', 'null'],
  ['"port"', 'text'],
  ['8080', 'a number'],
])('error: rejects a configuration file with %s', async (text, kind) => {
  put('mintmark.config.json', text)
  await expect(loadConfig({ cwd, env: { MINTMARK_PORT: '1' } })).rejects.toMatchObject({
    code: 'CONFIG',
    message: `the configuration file ${join(cwd, 'mintmark.config.json')} holds ${kind}; allowed: an object such as { "port": 8080 }`,
  })
})

test('error: a variable for one setting does not hide an invalid value of its group in the file', async () => {
  put('mintmark.config.json', '{ "rateLimit": [], "rpc": "fast" }')
  const env = { MINTMARK_RATE_LIMIT__BURST: '3', MINTMARK_RPC__BATCH_SIZE: '4' }
  const error = await loadConfig({ cwd, env }).catch((e: Error) => e)
  expect((error as Error).message).toContain('rateLimit is a list; allowed: a JSON object')
  expect((error as Error).message).toContain('rpc is text; allowed: a JSON object')
})

test.each([
  ['MINTMARK_CHAINS', '{local:{id:0x7a69}}', 'is not JSON; allowed: a JSON object, within single quotes where a shell'],
  ['MINTMARK_CORS__ORIGINS', 'https://a.example', 'is not JSON; allowed: a list, within single quotes'],
  [
    'MINTMARK_CHAINS__ETH__RPC',
    '["http://a"]',
    'is not a setting; allowed: MINTMARK_CHAINS, which holds all of chains as JSON',
  ],
  ['MINTMARK_RATE_LIMIT_BURST', '5', 'is not a setting; did you mean MINTMARK_RATE_LIMIT__BURST?'],
  ['MINTMARK_DATABSE_URL', 'postgres://k3y', 'is not a setting; did you mean MINTMARK_DATABASE_URL?'],
])('error: rejects %s=%s', async (name, text, fault) => {
  const error = await loadConfig({ cwd, env: { [name]: text } }).catch((e: Error) => e)
  const [, ...faults] = (error as Error).message.split('\n')
  expect(faults).toEqual([expect.stringContaining(`  - ${name} ${fault}`)])
})

test('behavior: a variable can set an address that the schema transforms', async () => {
  const env = { MINTMARK_PUBLIC_URL: 'https://a.example/' }
  expect(await loadConfig({ cwd, env })).toMatchObject({ publicUrl: 'https://a.example' })
})

test('error: rejects a configuration module that exports nothing', async () => {
  put('mintmark.config.js', 'export const port = 1')
  await expect(loadConfig({ cwd, env: {} })).rejects.toMatchObject({ code: 'CONFIG' })
})

test('behavior: only the log level debug turns debugging on', () => {
  expect(isDebugging({ MINTMARK_LOG_LEVEL: 'debug' })).toBe(true)
  expect(isDebugging({ MINTMARK_LOG_LEVEL: 'info' })).toBe(false)
  expect(isDebugging({})).toBe(false)
})
