import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import type { ConfigInput } from '../src/config/config.ts'
import { freePort } from '../test/freePort.ts'

export const benchKey = 'bench'
export const benchChain = { name: 'bench', id: '0x7a69' }

/** As many connections for pages as a service has to its embedded server. In a figure, the service reaches the same PostgreSQL by a `databaseUrl`. */
export const embeddedPoolSize = 4 * (availableParallelism() + 2)

/** `mintmark start` as an operator runs it, in a separate process. */
export type MeasuredService = { url: string; pid: number; dataDir: string; stop(): Promise<void> }

export async function startMeasuredService(options: {
  /** null: the embedded server. */
  databaseUrl: string | null
  /** The node of the chain; omitted: no chain is configured. */
  nodeUrl?: string
  /** The setting `wallets` of that chain. */
  wallets?: 'chain' | 'indexed' | undefined
  config?: ConfigInput
}): Promise<MeasuredService> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  // The embedded server does not run as root and must be able to read the folder.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const config: ConfigInput = {
    port,
    apiKey: benchKey,
    databaseUrl: options.databaseUrl,
    dataDir: folder,
    logLevel: 'warn',
    chains:
      options.nodeUrl === undefined
        ? {}
        : { [benchChain.name]: { id: benchChain.id, rpc: [options.nodeUrl], wallets: options.wallets } },
    ...options.config,
  }
  const file = join(folder, 'mintmark.config.json')
  writeFileSync(file, JSON.stringify(config))
  const main = join(import.meta.dirname, '../src/main.ts')
  const child = spawn(process.execPath, [main, 'start', '--config', file], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode} at its start`)
    if ((await statusOf(`${url}/ready`)) === 200) break
    await wait(20)
  }
  return {
    url,
    pid: child.pid!,
    dataDir: folder,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const { statusCode, body } = await request(url)
    await body.dump()
    return statusCode
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ECONNREFUSED') return undefined
    throw error
  }
}

export type PageBody = {
  status: string
  total: number | null
  cursor: string | null
  result: { token_hash: string; metadata: string | null }[]
}

/** Returns one page of a collection. `query`: parameters besides the chain. */
export async function getPage(url: string, address: string, query: Record<string, string>): Promise<PageBody> {
  const { statusCode, body } = await request(pageAddress(url, address, query), { headers: { 'x-api-key': benchKey } })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`a page was answered ${statusCode}: ${text}`)
  return JSON.parse(text) as PageBody
}

export function pageAddress(url: string, address: string, query: Record<string, string>): string {
  return `${url}/api/v2/nft/${address}?${new URLSearchParams({ chain: benchChain.name, ...query })}`
}

/** Waits until the service tried to fetch the metadata of every token, so that the collection no longer changes. */
export async function untilTried(url: string, contract: string): Promise<void> {
  const address = pageAddress(url, contract, { limit: '1' })
  for (;;) {
    const { headers, body } = await request(address, { headers: { 'x-api-key': benchKey } })
    await body.dump()
    if (headers['x-index-metadata-progress'] === '1') return
    await wait(10)
  }
}

/** Requests a collection until it is complete and returns the seconds since the first request. Throws if tokens are missing. */
export async function secondsUntilSynced(
  url: string,
  collection: { contract: string; tokens: number },
): Promise<number> {
  const started = performance.now()
  for (;;) {
    const page = await getPage(url, collection.contract, { limit: '1', disable_total: 'false' })
    if (page.status === 'SYNCED') {
      if (page.total !== collection.tokens && page.cursor === null)
        throw new Error(`${page.total} tokens are listed, ${collection.tokens} exist`)
      return (performance.now() - started) / 1_000
    }
    await wait(50)
  }
}
