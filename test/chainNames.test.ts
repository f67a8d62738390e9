import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeChainNames } from '../src/sync/chainNames.ts'
import type { Address } from '../src/util/hex.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { runCommand } from './commandLine.ts'
import { plain721 } from './contracts/artifacts/plain721.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startTestServer, type TestServer } from './mintmark.ts'

// The commands use a configuration without the chain, on the database of a server that serves the chain as `local`.
let anvil: Anvil
let database: TestDatabase
let server: TestServer
let collection: Address
let url: string[]

beforeAll(async () => {
  anvil = await startAnvil({ slotsInAnEpoch: 4 })
  collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  const args = [anvil.accounts[0]!, 0n, 12n] as const
  await anvil.send({ to: collection, abi: plain721.abi, functionName: 'mintBatch', args })
  await anvil.mine(20)
  database = await createTestDatabase()
  server = await startTestServer({ rpc: [anvil.url], database })
  url = ['--database-url', database.url]
  await server.untilSynced(collection, await anvil.blockNumber())
})
afterAll(async () => {
  await server?.close()
  await database?.drop()
  await anvil?.stop()
})

const json = async (...args: string[]) => {
  const { code, out, err } = await runCommand([...args, '--json', ...url])
  expect({ args, code, err }).toMatchObject({ args, code: 0 })
  return JSON.parse(out)
}

test('default: status shows the name that the server gave the chain', async () => {
  expect((await json('status')).chains).toEqual([expect.objectContaining({ chain: 'local', failure: null })])
})

test.each(['local', 'LOCAL', '0x7a69', '0x7A69', '0x07a69', '31337'])(
  'behavior: every collection command accepts %s',
  async (chain) => {
    const shown = { chain: 'local', address: collection }
    expect(await json('status', chain, collection)).toMatchObject({ ...shown, status: 'live' })
    expect(await json('index', chain, collection, '--wait')).toMatchObject({ ...shown, tokens: '12' })
    expect(await json('flag', chain, collection, '--spam', 'auto')).toMatchObject(shown)
    expect(await json('verify', chain, collection, '--rpc', anvil.url)).toMatchObject({ chain: 'local', agrees: true })
  },
)

test('error: verify requires the configuration or a node if only the server has a node of the chain', async () => {
  expect(await runCommand(['verify', '0x7a69', collection, ...url])).toEqual({
    code: 1,
    out: '',
    err: "mintmark: no node of local is configured here: give the server's configuration with --config, or a node with --rpc\n",
  })
  const wrong = await runCommand(['verify', '0x7a69', collection, '--rpc', 'ws://127.0.0.1', ...url])
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('http:// or https://') })
})

test('error: rejects an unknown chain and lists the available chains', async () => {
  for (const chain of ['moon', '0x7a6a', '31338', '0x', '-1'])
    expect(await runCommand(['index', chain, collection, ...url])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^mintmark: there is no chain ".*"; available: .*, local\. /),
    })
})

/** Splits the command in a message into words as a shell does. */
function printedCommand(message: string): string[] {
  const command = /"mintmark ([^"]*)"/.exec(message)?.[1]
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
  return words.trimEnd().split('\n')
}

test('behavior: commands printed in messages run as printed, even for a chain name of two words', async () => {
  const paused = await runCommand(['chains', 'pause', '0x61', ...url])
  expect(paused).toMatchObject({ code: 0, out: expect.stringMatching(/^bsc testnet is paused: /) })
  expect(await runCommand([...printedCommand(paused.out), ...url])).toMatchObject({
    code: 0,
    out: 'bsc testnet is resumed\n',
  })
  const unknown = ['0x61', `0x${'0'.repeat(39)}1`] as const
  for (const command of [['status'], ['collections', 'show'], ['flag', '--spam', 'auto']]) {
    const { err } = await runCommand([...command, ...unknown, ...url])
    expect(printedCommand(err)).toEqual(['index', 'bsc testnet', unknown[1]])
  }
})

test('behavior: a chain keeps its names without the server, gets more names, and can always be specified by its id', async () => {
  await server.close()
  expect(await json('status', 'local', collection)).toMatchObject({ chain: 'local', tokens: '12' })
  await writeChainNames(database.db, [{ id: 0x7a69n, names: ['dev', 'also dev'] }])
  for (const chain of ['dev', 'also dev', 'local', '31337'])
    expect(await json('status', chain, collection)).toMatchObject({ chain: 'dev', tokens: '12' })
  // Another chain takes over the name.
  await writeChainNames(database.db, [{ id: 0x539n, names: ['local'] }])
  expect(await runCommand(['status', 'local', collection, ...url])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not indexed'),
  })
  // A database whose servers never stored chain names.
  await database.db.run('DELETE FROM chain_name')
  expect((await json('status')).chains).toEqual([expect.objectContaining({ chain: '0x7a69' })])
  expect(await json('status', '0x7a69', collection)).toMatchObject({ chain: '0x7a69', tokens: '12' })
  expect(await json('chains', 'reset', '31337', '--yes')).toMatchObject({ chain: '0x7a69', collections: 1 })
})
