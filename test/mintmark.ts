import type { ConfigInput } from '../src/config/config.ts'
import { parseConfig } from '../src/config/config.ts'
import { createService, type ServiceOptions } from '../src/service.ts'
import type { Address } from '../src/util/hex.ts'
import type { Log } from '../src/util/log.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { createHeldLog } from './heldLog.ts'
import { patienceMs } from './patience.ts'
import { sendGet } from './sendGet.ts'

/** An NFT record in API responses. */
export type NftRecord = {
  token_address: Address
  token_id: string
  token_hash: string
  owner_of: Address | null
  minter_address: Address | null
  block_number: string
  block_number_minted: string
  amount: string
  contract_type: string | null
  name: string | null
  symbol: string | null
}

export type NftPage = {
  total: number | null
  page: number
  page_size: number
  cursor: string | null
  result: NftRecord[]
  status: 'SYNCED' | 'SYNCING'
}

/** A client of a running server, in whatever process the server is. */
export type NftClient = {
  get(path: string): Promise<Response>
  page(
    address: Address,
    query?: Record<string, string | number | boolean>,
  ): Promise<{ body: NftPage; headers: Headers }>
  /** All records, page by page. */
  walk(address: Address, query?: Record<string, string | number | boolean>): Promise<NftRecord[]>
  /** Polls until the collection covers `block` and is synced. */
  untilSynced(address: Address, block?: bigint): Promise<NftPage>
}

export const testApiKey = 'key-of-this-test-0815'

export function createNftClient(url: string, chain = 'local'): NftClient {
  const headers = { 'x-api-key': testApiKey }
  const get = (path: string) => fetch(url + path, { headers })
  async function page(address: Address, query: Record<string, string | number | boolean> = {}) {
    const search = new URLSearchParams({ chain })
    for (const [name, value] of Object.entries(query)) search.set(name, String(value))
    const deadline = performance.now() + patienceMs
    const next = () => sendGet(`${url}/api/v2/nft/${address}?${search}`, headers)
    let answer = await next()
    // A busy database returns 503 with Retry-After, which clients obey.
    while (answer.status === 503 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get('retry-after') ?? 1) * 1_000))
      answer = await next()
    }
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
    return { body: JSON.parse(answer.text) as NftPage, headers: answer.headers }
  }
  return {
    get,
    page,
    async walk(address, query = {}) {
      const records: NftRecord[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body }: { body: NftPage } = await page(address, { ...query, ...(cursor && { cursor }) })
        records.push(...body.result)
        cursor = body.cursor
      }
      return records
    },
    async untilSynced(address, block = 0n) {
      const deadline = performance.now() + patienceMs
      let last = ''
      for (;;) {
        try {
          const { body, headers } = await page(address)
          last = `${body.status} ${JSON.stringify(Object.fromEntries(headers))}`
          if (body.status === 'SYNCED' && BigInt(headers.get('x-index-to-block') ?? 0) >= block) return body
        } catch (error) {
          last = String(error)
        }
        if (performance.now() > deadline) throw new Error(`not synced up to block ${block}: ${last}`)
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    },
  }
}

export type TestServer = NftClient & {
  url: string
  database: TestDatabase
  signInLink(): string | undefined
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the whole service in this process, with one chain `local` behind `rpc`. Its database is new unless the test gives one.
 * Closing the service throws if its log contains a line that is not allowed.
 */
export async function startTestServer(options: {
  rpc: string[]
  config?: Partial<ConfigInput>
  log?: Log
  database?: TestDatabase
  openConsole?: ServiceOptions['openConsole']
}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase())
  const { chains, ...config } = options.config ?? {}
  const whole = parseConfig({
    port: 0,
    apiKey: testApiKey,
    databaseUrl: database.url,
    databasePoolSize: 12,
    chains: {
      ...chains,
      local: { id: '0x7a69', rpc: options.rpc, pollIntervalMs: 50, wallets: 'indexed', ...chains?.local },
    },
    ...config,
  })
  const held = createHeldLog(whole)
  const { log = held.log, openConsole } = options
  const service = await createService({ config: whole, log, ...(openConsole && { openConsole }) })
  const close = async () => {
    await service.close()
    held.check()
    if (!options.database) await database.drop()
  }
  return {
    ...createNftClient(service.url),
    url: service.url,
    signInLink: service.signInLink,
    database,
    close,
    [Symbol.asyncDispose]: close,
  }
}
