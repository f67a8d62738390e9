// @module-tag system

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readBackupFile } from '../../src/db/backup/backupFile.ts'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { commandEnv } from '../commandEnv.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { createTestDatabase } from '../database.ts'
import { createNftClient, testApiKey } from '../mintmark.ts'
import { builtProgram } from '../program.ts'
import { type Received, startReceiver } from '../receiver.ts'
import { startServiceProcess } from '../serviceProcess.ts'
import { temporaryDataFolder } from '../temporaryFolder.ts'
import { documentedCommands } from './documentedCommands.ts'

const root = join(import.meta.dirname, '../..')

/** Runs an operator's shell in which `mintmark` is this program. */
async function shell(script: string, variables: Record<string, string>): Promise<string> {
  const main = await builtProgram()
  const define = `set -eu; mintmark() { '${process.execPath}' '${main}' "$@"; }\n`
  const env = { ...commandEnv, MINTMARK: `${process.execPath} ${main}`, ...variables }
  const { stdout } = await promisify(execFile)('sh', ['-c', define + script], { cwd: root, env })
  return stdout
}

async function startWith(folder: string, config: Record<string, unknown>) {
  const configFile = join(folder, `${Object.keys(config).length}-${config.dataDir}.json`.replaceAll('/', '_'))
  await writeFile(configFile, JSON.stringify(config))
  const { child, url } = await startServiceProcess(configFile)
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** The responses with tokens, webhooks and streams that clients get. */
async function readAll(url: string, contract: Address, key: string) {
  const get = async (path: string) => {
    const response = await fetch(url + path, { headers: { 'x-api-key': key } })
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { result?: { id: string; status?: string }[] }
  }
  const history = (await get('/history?limit=100')).result!
  return {
    // Tokens without their metadata, which is still being read.
    tokens: (await createNftClient(url).walk(contract)).map(({ token_hash, owner_of, block_number }) => ({
      token_hash,
      owner_of,
      block_number,
    })),
    streams: (await get('/streams/evm?limit=10')).result,
    webhooks: history.map(({ id }) => id).sort(),
    pending: history.filter(({ status }) => status === 'pending').length,
  }
}

/** The rows of a backup, without its header, which contains the time. */
async function rowsOf(file: string): Promise<string> {
  const frames: Buffer[] = []
  for await (const frame of readBackupFile(file)) frames.push(frame)
  // Excludes the processes that served the saved database, because a restore skips them.
  return String(Buffer.concat(frames.slice(1))).replace(/(\{"table":"process"[^}]*\})[^{]*/, '$1')
}

/** Ids of webhooks by their block and kind. */
function idsByBlock(received: readonly Received[]): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>()
  for (const { body, headers } of received) {
    const { block, confirmed } = JSON.parse(body) as { block: { hash: string }; confirmed: boolean }
    if (block.hash === '') continue
    const name = `${block.hash} ${confirmed}`
    ids.set(name, (ids.get(name) ?? new Set()).add(String(headers['webhook-id'])))
  }
  return ids
}

test('behavior: the documented restore recovers all data of the documented backups, and work continues', async () => {
  const folder = await temporaryDataFolder()
  await using anvil = await startAnvil()
  let isRejecting = false
  await using receiver = await startReceiver(() => (isRejecting ? 500 : 200))
  const contract = await anvil.deploy(plain721, ['Kept', 'KEP', 'data:,'])
  const mint = (first: bigint) =>
    anvil.send({ to: contract, abi: plain721.abi, functionName: 'mintBatch', args: [anvil.accounts[1]!, first, 5n] })
  await mint(0n)
  const config = {
    port: 0,
    apiKey: testApiKey,
    outbound: { allow: ['127.0.0.1'] },
    webhooks: { retryDelaysMs: Array.from({ length: 100 }, () => 500), minSuccessRate: 0 },
    chains: { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 20, confirmations: 1 } },
  }
  const data = join(folder, 'data')
  const backups = join(folder, 'backups')

  const source = await startWith(folder, { ...config, dataDir: data })
  await createNftClient(source.url).untilSynced(contract, await anvil.blockNumber())
  const key = (await shell('mintmark keys create app --access admin --data "$DATA"', { DATA: data })).trim()
  const created = await fetch(`${source.url}/streams/evm`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      webhookUrl: receiver.url,
      description: 'kept',
      tag: 'kept',
      chainIds: ['0x7a69'],
      includeContractLogs: true,
    }),
  })
  const { id } = (await created.json()) as { id: string }
  await fetch(`${source.url}/streams/evm/${id}/address`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ address: contract }),
  })
  await mint(10n)
  await mint(20n)
  // Wait for the test webhook, the unconfirmed webhooks of two blocks, and the confirmed webhook of the first block.
  await receiver.until((all) => idsByBlock(all).size >= 3)
  isRejecting = true
  await mint(30n)
  await receiver.until((all) => idsByBlock(all).size >= 5)
  await createNftClient(source.url).untilSynced(contract, await anvil.blockNumber())
  await mkdir(join(data, 'media/ab/cd'), { recursive: true })
  await writeFile(join(data, 'media/ab/cd/preview-low.webp'), 'a preview')
  // A delivered webhook is pending until its attempt is stored. From now on, the receiver rejects the other two.
  await expect.poll(async () => (await readAll(source.url, contract, key)).pending).toBe(2)
  const before = await readAll(source.url, contract, key)
  expect(before.tokens).toHaveLength(20)
  expect(before.webhooks).toHaveLength(5)

  const file = (await shell(documentedCommands('backup'), { DATA: data, BACKUPS: backups })).trim().split('\n').at(-1)!
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await source.stop()
  await shell(documentedCommands('stopped copy'), { DATA: data, COPY: join(folder, 'copy') })

  await shell('mintmark restore "$FILE" --active --data "$NEW" && mintmark backup "$AGAIN" --data "$NEW"', {
    FILE: file,
    NEW: join(folder, 'again'),
    AGAIN: join(folder, 'again.mintmark'),
  })
  expect(await rowsOf(join(folder, 'again.mintmark'))).toEqual(await rowsOf(file))

  const external = await createTestDatabase({ migrated: false })
  await shell(documentedCommands('restore'), { FILE: file, NEW: join(folder, 'restored') })
  await shell(documentedCommands('move to PostgreSQL'), {
    FILE: file,
    NEW: join(folder, 'moved'),
    DATABASE_URL: external.url,
  })
  expect(await readFile(join(folder, 'restored/media/ab/cd/preview-low.webp'), 'utf8')).toBe('a preview')

  let next = 40n
  for (const changed of [
    { dataDir: join(folder, 'restored') },
    { dataDir: join(folder, 'copy') },
    { dataDir: join(folder, 'moved'), databaseUrl: external.url },
  ]) {
    // The receiver still rejects webhooks, so that nothing changes during the comparison.
    isRejecting = true
    const server = await startWith(folder, { ...config, ...changed })
    if (next === 40n) expect(await readAll(server.url, contract, key)).toEqual(before)
    isRejecting = false
    await mint(next)
    next += 10n
    const minted = Number(await anvil.blockNumber())
    await createNftClient(server.url).untilSynced(contract, BigInt(minted))
    expect((await readAll(server.url, contract, key)).tokens).toHaveLength(20 + 5 * (Number(next / 10n) - 4))
    await expect.poll(async () => (await readAll(server.url, contract, key)).pending).toBe(0)
    await server.stop()
  }
  const recount = JSON.parse(
    await shell('mintmark verify --streams --json --data "$DATA"', { DATA: join(folder, 'copy') }),
  )
  expect(recount.mismatches).toEqual([])
  // Each of the restored servers sent every block again, and always under the same id.
  expect([...idsByBlock(receiver.received).values()].filter(({ size }) => size !== 1)).toEqual([])
  await external.drop()
})

test('behavior: a second backup has the new data, and old files are deleted', async () => {
  const folder = await temporaryDataFolder()
  const data = join(folder, 'data')
  const backups = join(folder, 'backups')
  await shell('mintmark migrate --data "$DATA"', { DATA: data })
  await mkdir(join(data, 'media'))
  await writeFile(join(data, 'media/one-low.webp'), '1')
  await mkdir(backups)
  await writeFile(join(backups, '20200101T000000Z.mintmark'), '')
  // Two backups within a second would have the same name, so the first one is renamed.
  await shell('mv "$(deploy/backup.sh "$DATA" "$BACKUPS" | tail -n 1)" "$BACKUPS/20200102T000000Z.mintmark"', {
    DATA: data,
    BACKUPS: backups,
  })
  await writeFile(join(data, 'media/two-low.webp'), '2')
  await shell('deploy/backup.sh "$DATA" "$BACKUPS"', { DATA: data, BACKUPS: backups, KEEP: '1' })
  expect(await readdir(join(backups, 'media'))).toEqual(['one-low.webp', 'two-low.webp'])
  expect((await readdir(backups)).filter((name) => name.endsWith('.mintmark'))).toHaveLength(1)
})
