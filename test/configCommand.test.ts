import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { runCommand } from './commandLine.ts'

const folder = mkdtempSync(join(tmpdir(), 'mintmark-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

function configFile(name: string, config: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(config))
  return path
}

const file = configFile('right.json', {
  port: 9000,
  apiKey: 'tiny',
  databaseUrl: 'postgres://mint:pw@db.example:5433/mint?sslmode=require&password=other',
  chains: {
    eth: { rpc: ['https://user:pass@eth.example/v2/abc', 'http://127.0.0.1:8545'] },
    local: { id: '0x7a69', rpc: ['http://h/k'] },
  },
  aptos: { mainnet: { grpc: 'grpc.example:443', token: 'short' } },
})

/** Sets environment variables for one test. */
function withEnvironment(variables: Record<string, string>) {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  return { [Symbol.dispose]: () => void vi.unstubAllEnvs() }
}

test('default: config show prints each set value and its source, and masks keys of any length', async () => {
  using _ = withEnvironment({ MINTMARK_RATE_LIMIT__BURST: '7', MINTMARK_PORT: '9001' })
  const { code, out, err } = await runCommand(['config', 'show', '--config', file, '--data', '/somewhere'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const rows = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/))
  expect(rows).toEqual([
    ['setting', 'value', 'from'],
    ['port', '9001', 'MINTMARK_PORT'],
    ['apiKey', '***', file],
    ['databaseUrl', 'postgres://mint:***@db.example:5433/mint?sslmode=require&password=***', file],
    ['dataDir', '/somewhere', '--data'],
    ['chains.eth.rpc', '["https://eth.example/***","http://127.0.0.1:8545"]', file],
    ['chains.local.id', '0x7a69', file],
    ['chains.local.rpc', '["http://h/***"]', file],
    ['aptos.mainnet.grpc', 'grpc.example:443', file],
    ['aptos.mainnet.token', '***', file],
    ['rateLimit.burst', '7', 'MINTMARK_RATE_LIMIT__BURST'],
  ])
  for (const secret of ['tiny', 'pass', 'abc', 'short', 'other', ':pw@'])
    expect(out.replaceAll('password', '')).not.toContain(secret)
})

test('behavior: config show --json includes defaults and the source of each value', async () => {
  const { out } = await runCommand(['config', 'show', '--json', '--config', file])
  const { settings, sources } = JSON.parse(out)
  expect(settings).toMatchObject({ port: 9000, host: '127.0.0.1', apiKey: '***', aptos: { mainnet: { token: '***' } } })
  expect(sources).toMatchObject({ port: file, host: 'default', 'rateLimit.burst': 'default', 'chains.eth.rpc': file })
  const { out: all } = await runCommand(['config', 'show', '--all', '--config', file])
  expect(all).toMatch(/^host +127\.0\.0\.1 +default$/m)
})

test('behavior: config check reports no errors and the sources that it read', async () => {
  using _ = withEnvironment({ MINTMARK_PORT: '9001' })
  expect(await runCommand(['config', 'check', '--config', file])).toEqual({
    code: 0,
    out: `the configuration has no errors; sources: ${file}, MINTMARK_PORT\n`,
    err: '',
  })
})

test('error: config check lists every error and exits with code 1', async () => {
  using _ = withEnvironment({ MINTMARK_PROT: '1' })
  const wrong = configFile('wrong.json', { port: 99999, chains: { mine: {} } })
  const { code, out, err } = await runCommand(['config', 'check', '--config', wrong])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  for (const name of ['MINTMARK_PROT', 'port', 'chains.mine.id', 'chains.mine.rpc'])
    expect(err).toContain(`  - ${name} `)
  const json = await runCommand(['config', 'check', '--json', '--config', wrong])
  expect(json.code).toBe(1)
  const { valid, faults } = JSON.parse(json.out)
  expect({ valid, faults: faults.length }).toEqual({ valid: false, faults: 4 })
})

test('error: config check reports a missing config file as an error', async () => {
  const { code, out } = await runCommand(['config', 'check', '--json', '--config', join(folder, 'nope.json')])
  expect(code).toBe(1)
  expect(JSON.parse(out)).toEqual({ valid: false, faults: [expect.stringContaining('nope.json does not exist')] })
})
