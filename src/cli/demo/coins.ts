import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  blockTransaction,
  coinTransaction,
  type DemoTransaction,
  genesisTransaction,
  transferTransaction,
} from './inventCoins.ts'

/** The demo's coin network: simulates a fullnode, and deploys a new coin every few seconds. */
export type DemoCoins = {
  /** Its REST API. */
  url: string
  /** Number of initial coins, including the chain's own. */
  firstCoins: number
  stop(): Promise<void>
}

/** Chain id of a local network. */
const chainId = 4

const firstCoins = 60
const maxPage = 100

export async function startDemoCoins(options: { intervalMs?: number } = {}): Promise<DemoCoins> {
  const transactions: DemoTransaction[] = [genesisTransaction()]
  let coins = 0

  /** Adds a block with a new coin and changes of older ones. */
  function deploy(at: Date): void {
    transactions.push(blockTransaction(transactions.length, at), coinTransaction(coins, transactions.length + 1, at))
    for (let i = 0; i < 3; i++)
      transactions.push(transferTransaction(Math.floor(Math.random() * (coins + 1)), transactions.length, at))
    coins += 1
  }

  const startedAt = Date.now()
  while (coins < firstCoins - 1) deploy(new Date(startedAt - (firstCoins - coins) * 3_600_000))
  const timer = setInterval(() => deploy(new Date()), options.intervalMs ?? 4_000)

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://demo')
    const head = transactions.length - 1
    if (url.pathname === '/v1')
      return answer(response, 200, {
        chain_id: chainId,
        ledger_version: String(head),
        oldest_ledger_version: '0',
        node_role: 'full_node',
      })
    const [, address, type] = /^\/v1\/accounts\/(0x[0-9a-f]{1,64})\/resource\/(.+)$/.exec(url.pathname) ?? []
    if (address !== undefined) {
      const version = Number(url.searchParams.get('ledger_version') ?? head)
      const written = transactions
        .slice(0, version + 1)
        .flatMap(({ changes }) => changes)
        .findLast((write) => BigInt(write.address) === BigInt(address) && encodeURIComponent(write.data.type) === type)
      if (written) return answer(response, 200, written.data)
      return answer(response, 404, { message: 'the resource does not exist', error_code: 'resource_not_found' })
    }
    const start = Number(url.searchParams.get('start'))
    if (url.pathname !== '/v1/transactions' || !(start <= head))
      return answer(response, 400, { message: 'higher than the current ledger version', error_code: 'invalid_input' })
    const limit = Math.min(maxPage, Number(url.searchParams.get('limit') ?? 25))
    response.setHeader('x-aptos-chain-id', chainId)
    response.setHeader('x-aptos-ledger-version', head)
    answer(response, 200, transactions.slice(start, start + limit))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    firstCoins,
    async stop() {
      clearInterval(timer)
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
