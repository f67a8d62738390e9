import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AptosChain } from './aptosChain.ts'
import { type NodeFaults, strikes } from './nodeFaults.ts'
import { resourceAt } from './resourceAt.ts'

export type FakeFullnode = {
  /** Includes the root: http://127.0.0.1:…/v1. */
  url: string
  /** Number of successful requests for transactions. */
  pages(): number
  close(): Promise<void>
}

export type FakeFullnodeOptions = {
  chain: AptosChain
  faults?: NodeFaults | undefined
  /** Reports this chain id instead of the chain's. */
  chainId?: () => number
  /** Versions below this one are pruned. */
  oldest?: () => bigint
  /** The status for a pruned version. */
  prunedStatus?: 410 | 500
  token?: string
  /** Requirements for every request, as providers have them: a query, and the value of the Authorization header. */
  demands?: { query?: string; authorization?: string }
  /** Path of the API's root instead of /v1. */
  root?: string
  /** A larger limit is silently reduced to this one. Real nodes reduce it to 100. */
  maxPage?: number
  /** Reports this head instead of the chain's, in digits. */
  reportedHead?: () => string | undefined
  /** How many versions the responding node is behind; an address may have several nodes. */
  behind?: () => bigint
  /** Omits the headers with the state of the ledger, as some proxies do. */
  bare?: boolean
}

/** A fullnode's REST API over a chain in memory, with the responses of real nodes. */
export async function serveFullnode(options: FakeFullnodeOptions): Promise<FakeFullnode> {
  const {
    chain,
    faults,
    oldest = () => 0n,
    chainId = () => chain.chainId,
    prunedStatus = 500,
    token,
    demands = {},
    root = '/v1',
    bare,
    maxPage = 100,
    reportedHead = () => undefined,
    behind: lag = () => 0n,
  } = options
  let pages = 0

  function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
    const text = JSON.stringify(body)
    const whole = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)), ...headers }
    response.writeHead(status, whole)
    if (strikes(faults, 'half')) response.write(text.slice(0, text.length >> 1), () => response.destroy())
    else if (strikes(faults, 'cut')) response.destroy()
    else response.end(text)
  }

  function fail(response: ServerResponse, status: number, code: string, message: string): void {
    send(response, status, { message, error_code: code, vm_error_code: null })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://node')
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`)
      return fail(response, 401, 'unauthorized', 'no such key')
    const { query, authorization } = demands
    const requested = Object.fromEntries(url.searchParams)
    const lacking = [...new URLSearchParams(query)].some(([name, value]) => requested[name] !== value)
    if (lacking || (authorization !== undefined && request.headers.authorization !== authorization))
      return fail(response, 401, 'unauthorized', 'no such key')
    if (strikes(faults, 'silence')) return
    if (strikes(faults, 'rateLimit'))
      return send(response, 429, { message: 'slow down' }, { 'retry-after': String(Math.random() < 0.5 ? 0 : 0.05) })
    if (strikes(faults, 'unavailable')) return fail(response, 503, 'internal_error', 'not now')
    if (strikes(faults, 'nonsense')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>')
      return
    }
    const behind = strikes(faults, 'lag') ? 50n : lag()
    const head = chain.head() - behind < 0n ? 0n : chain.head() - behind
    if (url.pathname === root)
      return send(response, 200, {
        chain_id: chainId(),
        epoch: '1',
        ledger_version: reportedHead() ?? String(head),
        oldest_ledger_version: String(oldest()),
        ledger_timestamp: '1',
        node_role: 'full_node',
        git_hash: 'fake',
      })
    const resource = /^\/accounts\/(0x[0-9a-f]+)\/resource\/(.+)$/.exec(url.pathname.slice(root.length))
    if (resource) {
      const version = BigInt(url.searchParams.get('ledger_version') ?? head)
      const [, address, type] = resource
      const data = resourceAt(chain, { address: address!, type: decodeURIComponent(type!), version })
      if (data !== undefined) return send(response, 200, { type: decodeURIComponent(type!), data })
      return fail(response, 404, 'resource_not_found', 'Resource not found by Address, Struct tag and Ledger version')
    }
    if (url.pathname !== `${root}/transactions`) return fail(response, 404, 'web_framework_error', 'not found')
    const start = BigInt(url.searchParams.get('start') ?? 0)
    const limit = Math.min(maxPage, Number(url.searchParams.get('limit') ?? 25))
    if (start > head) {
      const message = `Given start value (${start}) is higher than the current ledger version, it must be < ${head}`
      const body = { message, error_code: 'invalid_input', vm_error_code: null }
      return send(response, 400, body, bare ? {} : { 'x-aptos-ledger-version': String(head) })
    }
    if (start < oldest())
      return prunedStatus === 410
        ? fail(response, 410, 'version_pruned', `Ledger version(${start}) has been pruned`)
        : fail(response, 500, 'internal_error', 'Failed to read raw transactions from storage')
    const list: unknown[] = []
    const last = head < chain.head() ? head : chain.head()
    for (let version = start; version <= last && list.length < limit; version++) list.push(chain.at(version)!.rest)
    if (list.length > 2 && strikes(faults, 'gap')) list.splice(1, 1)
    if (list.length > 1 && strikes(faults, 'duplicate')) list.splice(1, 0, list[0])
    pages += 1
    const headers = { 'x-aptos-chain-id': String(chainId()), 'x-aptos-ledger-version': reportedHead() ?? String(head) }
    send(response, 200, list, bare ? {} : headers)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${root}`, pages: () => pages, close }
}
