import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { demo721 } from '../src/cli/demo/contracts/demo721.artifact.ts'
import type { Address, Hex } from '../src/util/hex.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { type Collections, deployCollections } from './clients/collections.ts'
import { commandEnv } from './commandEnv.ts'
import { airdrop } from './contracts/artifacts/airdrop.ts'
import { startTestServer, type TestServer, testApiKey } from './mintmark.ts'
import { patience } from './patience.ts'

// The programs of examples/, each as a process, against a server with the contracts of the demo.
const examples = join(import.meta.dirname, '../examples')
let anvil: Anvil
let server: TestServer
let collections: Collections
let env: Record<string, string | undefined>
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintmark-examples-'))
  anvil = await startAnvil()
  collections = await deployCollections(anvil)
  server = await startTestServer({ rpc: [anvil.url], config: { outbound: { allow: ['127.0.0.1'] } } })
  env = { ...commandEnv, MINTMARK: server.url, KEY: testApiKey }
  // The snapshot is that of the last final block, which is 64 blocks below the head.
  await anvil.mine(70)
  for (const address of [collections.tiles, collections.items]) await server.untilSynced(address, 70n)
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
  await rm(folder, { recursive: true })
})

const run = (name: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(examples, name), ...args], { env, cwd: folder })

test('default: the airdrop writes claims that a contract with their root accepts', async () => {
  const { stdout } = await run('airdrop.ts', collections.tiles)
  expect(stdout).toMatch(/^236 claims of 3 holders at block \d+, root 0x[0-9a-f]{64}: claims\.json\n$/)
  const { root, claims } = JSON.parse(await readFile(join(folder, 'claims.json'), 'utf8')) as {
    root: Hex
    claims: Record<Address, { tokenId: string; amount: string; proof: Hex[] }[]>
  }
  const to = await anvil.deploy(airdrop, [root])
  for (const [owner, [claim]] of Object.entries(claims)) {
    const args = [owner as Address, BigInt(claim!.tokenId), BigInt(claim!.amount), claim!.proof] as const
    await anvil.send({ to, abi: airdrop.abi, functionName: 'claim', args })
  }
})

test('default: the bot tells of a transfer, refuses what is not signed, and leaves no stream behind', async () => {
  const streams = async () =>
    (await (await server.get('/streams/evm?limit=10')).json()) as { result: { webhookUrl: string }[] }
  const bot = spawn(process.execPath, [join(examples, 'bot.ts'), collections.tiles], { env, cwd: folder })
  let out = ''
  for (const stream of [bot.stdout, bot.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
  const ended = once(bot, 'exit')
  try {
    await vi.waitUntil(() => out.includes('waiting for transfers'), patience)
    const [{ webhookUrl }] = (await streams()).result as [{ webhookUrl: string }]
    expect((await fetch(webhookUrl, { method: 'POST', body: '{}' })).status).toBe(401)
    const [from, to] = anvil.accounts as [Address, Address]
    const args = [from, to, 3n] as const
    await anvil.send({ to: collections.tiles, abi: demo721.abi, functionName: 'transferFrom', args })
    await vi.waitUntil(() => out.includes(`new: Sample Tiles #3 from ${from} to ${to} in block `), patience)
  } finally {
    bot.kill('SIGTERM')
    await ended
  }
  expect(await streams()).toMatchObject({ result: [] })
})

test('default: the program of the moralis package lists the largest holders', async () => {
  const { stdout } = await run('holders.ts', collections.items)
  const [a, b] = anvil.accounts
  expect(stdout).toBe(`${a} 50\n${b} 20\n`)
})

test('behavior: examples/README.md tells of each program, and shows the line that was changed as it stands', async () => {
  const readme = await readFile(join(examples, 'README.md'), 'utf8')
  for (const name of ['airdrop.ts', 'bot.ts', 'holders.ts']) {
    expect(readme).toContain(`npx node examples/${name} $TILES`)
    expect((await readFile(join(examples, name), 'utf8')).split('\n').length).toBeLessThan(80)
  }
  const [, changed] = /^\+(.+)$/m.exec(readme)!
  expect(await readFile(join(examples, 'holders.ts'), 'utf8')).toContain(changed)
})
