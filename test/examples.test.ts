// @module-tag system

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Address, Hex } from '../src/util/hex.ts'
import { type Anvil, connectAnvil, toTransaction } from './anvil.ts'
import { commandEnv } from './commandEnv.ts'
import { launchBrowser, withoutBrowser } from './console/browser.ts'
import { airdrop } from './contracts/artifacts/airdrop.ts'
import { type DemoProcess, startDemoProcess } from './demoProcess.ts'
import { patience, patienceMs } from './patience.ts'

// Runs `npm run demo` as a first visitor does: by the printed link, in a new browser.
// Also runs each program of examples/ as a process, as examples/README.md describes.
const examples = join(import.meta.dirname, '../examples')
let demo: DemoProcess
let anvil: Anvil
let env: Record<string, string | undefined>
let folder: string

type Claim = { tokenId: string; amount: string; proof: Hex[] }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintmark-examples-'))
  demo = await startDemoProcess()
  anvil = await connectAnvil(demo.rpc)
  env = { ...commandEnv, MINTMARK: demo.url, KEY: demo.apiKey }
})
afterAll(async () => {
  await demo?.stop()
  await rm(folder, { recursive: true })
})

const run = (name: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(examples, name), ...args], { env, cwd: folder })

async function request<T>(path: string): Promise<T> {
  const response = await fetch(demo.url + path, { headers: { 'x-api-key': demo.apiKey } })
  expect(response.status).toBe(200)
  return (await response.json()) as T
}
const streams = async () =>
  (await request<{ result: { tag: string; webhookUrl: string }[] }>('/streams/evm?limit=10')).result

test.skipIf(withoutBrowser)(
  'default: the demo link signs in, and the console shows images, a delivering stream and new coins',
  async () => {
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(patienceMs)
      await page.goto(demo.link)
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      expect(page.url()).toBe(`${demo.url}/`)

      const go = async (name: string) => {
        await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
      }
      await go('Coins')
      const latest = page.getByRole('region', { name: 'Latest coins' }).first().getByRole('row').nth(1)
      await latest.waitFor()
      const before = await latest.textContent()
      await expect.poll(() => latest.textContent(), patience).not.toBe(before)

      await go('Streams')
      await page.getByRole('row').getByRole('link', { name: 'demo' }).waitFor()
      const sums = page.getByRole('region', { name: 'All streams' })
      const delivered = async () => Number(/Delivered\s*(\d+)/.exec((await sums.textContent()) ?? '')?.[1] ?? 0)
      await expect.poll(delivered, patience).toBeGreaterThan(0)
      const first = await delivered()
      await expect.poll(delivered, patience).toBeGreaterThan(first)

      await go('Collections')
      await page.getByRole('link', { name: 'Sample Tiles' }).click()
      await page.getByRole('heading', { level: 1, name: 'Sample Tiles' }).waitFor()
      /** Without enough images, the text of the page shows why. */
      const pictures = async () => {
        const images = page.locator('.token-card img')
        const found = await images.evaluateAll((all) => new Set(all.map((one) => one.getAttribute('src'))).size)
        return found > 4 ? 'enough' : page.locator('main').textContent()
      }
      await expect.poll(pictures, patience).toBe('enough')
    } finally {
      await browser.close()
    }
  },
)

test('default: the airdrop example writes claims that a contract with their root accepts', async () => {
  const { stdout } = await run('airdrop.ts', demo.tiles)
  const [, rows, holders] = /^(\d+) claims of (\d+) holders at block \d+, root 0x[0-9a-f]{64}: claims\.json\n$/.exec(
    stdout,
  )!
  expect(Number(rows)).toBeGreaterThan(10_000)
  const { root, claims } = JSON.parse(await readFile(join(folder, 'claims.json'), 'utf8')) as {
    root: Hex
    claims: Record<Address, Claim[]>
  }
  expect(Object.keys(claims)).toHaveLength(Number(holders))
  const to = await deployAirdrop(root)
  const claim = (owner: string, { tokenId, amount, proof }: Claim) => {
    const args = [owner as Address, BigInt(tokenId), BigInt(amount), proof] as const
    return anvil.rpc('eth_call', [toTransaction({ to, abi: airdrop.abi, functionName: 'claim', args }), 'latest'])
  }
  const owners = Object.entries(claims)
  while (owners.length > 0)
    await Promise.all(
      owners
        .splice(0, 20)
        .flatMap(([owner, [first]]) => [
          claim(owner, first!),
          expect(claim(owner, { ...first!, amount: '2' })).rejects.toThrow('revert'),
        ]),
    )
})

/** Deploys with a separate account, because the demo counts the transactions of all others. */
async function deployAirdrop(root: Hex): Promise<Address> {
  const from: Address = `0x${'a1'.repeat(20)}`
  await anvil.rpc('anvil_setBalance', [from, '0xde0b6b3a7640000'])
  await anvil.rpc('anvil_impersonateAccount', [from])
  return anvil.deploy(airdrop, [root], { from })
}

test('default: the bot example reports transfers and reverted blocks, rejects unsigned webhooks, and deletes its stream', async () => {
  const bot = spawn(process.execPath, [join(examples, 'bot.ts'), demo.tiles], { env, cwd: folder })
  let out = ''
  for (const stream of [bot.stdout, bot.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
  const ended = once(bot, 'exit')
  const until = (line: RegExp) => vi.waitUntil(() => line.exec(out), patience)
  try {
    await until(/^waiting for transfers of 0x/m)
    const own = (await streams()).find(({ tag }) => tag === 'bot')!
    expect((await fetch(own.webhookUrl, { method: 'POST', body: '{}' })).status).toBe(401)
    const [transfer] = await until(/^new: (Sample Tiles #\d+ from 0x\w{40} to 0x\w{40} in block \d+)$/m)
    await until(new RegExp(`^${transfer.replace('new', 'confirmed')}$`, 'm'))
    const hashes = await reorganise(2)
    await until(new RegExp(`^reverted: block \\d+ \\((?:${hashes.join('|')})\\)`, 'm'))
  } finally {
    bot.kill('SIGTERM')
    await ended
  }
  expect(out).not.toContain('Error')
  expect((await streams()).map(({ tag }) => tag)).toEqual(['demo'])
})

/** Replaces the last blocks of the chain and returns the hashes of the removed ones. */
async function reorganise(depth: number): Promise<Hex[]> {
  const head = await anvil.blockNumber()
  const blocks = Array.from({ length: depth }, (_, i) => `0x${(head - BigInt(i)).toString(16)}`)
  const lost = await Promise.all(
    blocks.map((number) => anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', [number, false])),
  )
  await anvil.reorg(depth)
  return lost.map(({ hash }) => hash)
}

test('error: the bot example creates no stream without a contract', async () => {
  await expect(run('bot.ts')).rejects.toMatchObject({ stderr: expect.stringContaining('contract address missing') })
  expect((await streams()).map(({ tag }) => tag)).toEqual(['demo'])
})

test('default: the moralis example lists the largest holders', async () => {
  const { result } = await request<{ result: { amount: string }[] }>(`/api/v2/nft/${demo.items}?chain=local`)
  const units = result.reduce((sum, { amount }) => sum + Number(amount), 0)
  expect(units).toBeGreaterThan(100)
  // The ten accounts hold all units. If a unit moves while the program reads, it may be missing or counted twice.
  await vi.waitFor(async () => {
    const { stdout } = await run('holders.ts', demo.items)
    const counts = [...stdout.matchAll(/^0x[0-9a-f]{40} (\d+)$/gm)].map(([, count]) => Number(count))
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(units)
  }, patience)
})

test('default: the alchemy-sdk example prints a collection, its owners and the tokens of one owner', async () => {
  // If a token moves while the program reads, it may count it twice or not at all.
  await vi.waitFor(async () => {
    const { stdout } = await run('alchemy.ts', demo.tiles)
    expect(stdout).toMatch(/^Sample Tiles \(\w+\), ERC721, \d+ tokens\n\d+ owners\n0x\w{40} holds \d+: /)
    expect(stdout).toMatch(/\nreceived \d+ from 0x\w{40} in 0x\w{64}\n/)
    expect(stdout).toMatch(/\n\w+: \d+ values\n/)
    expect(stdout).toMatch(/\nfirst token 0, minted in block \d+ to 0x\w{40}\n$/)
  }, patience)
})

test('behavior: examples/README.md lists each example, and quotes the changed line as it is', async () => {
  const readme = await readFile(join(examples, 'README.md'), 'utf8')
  for (const name of ['airdrop.ts', 'bot.ts', 'holders.ts', 'alchemy.ts']) {
    expect(readme).toContain(`npx node examples/${name} $TILES`)
    expect((await readFile(join(examples, name), 'utf8')).split('\n').length).toBeLessThan(80)
  }
  const [, changed] = /^\+(.+)$/m.exec(readme)!
  expect(await readFile(join(examples, 'holders.ts'), 'utf8')).toContain(changed)
})

test('behavior: Ctrl-C ends the demo without an error and removes its files', async () => {
  expect(existsSync(demo.config)).toBe(true)
  await demo.stop()
  expect(existsSync(dirname(demo.config))).toBe(false)
  expect(demo.err()).not.toMatch(/error/i)
})
