import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer, childInput } from './child.ts'
import { createSyntheticBlocks } from './syntheticBlocks.ts'
import { aggregate3, callContract, multicallAddress, type TokenUris } from './syntheticContract.ts'
import { type ChainShape, createSyntheticLogs, firstBlock } from './syntheticLogs.ts'

/** An in-memory JSON-RPC node on loopback, in a separate process. It has no limits and no delay, so that only its client is measured. */
export type StandInInput = { shape: ChainShape; chainId: string; multicall: boolean; name?: string; uris?: TokenUris }
export type StandInAddress = { url: string; contract: string; tokens: number; first: number; finalized: number }

type Call = { id?: unknown; method: string; params?: unknown[] }
type Filter = {
  address?: string | string[]
  topics?: (string | string[] | null)[]
  fromBlock?: string
  toBlock?: string
  blockHash?: string
}

const { shape, chainId, multicall, name = 'Synthetic Apes', uris } = childInput<StandInInput>()
const logs = createSyntheticLogs(shape)
const blocks = createSyntheticBlocks(logs, shape.blocks)
for (let number = blocks.head - 2_000; number <= blocks.head; number++) blocks.block(number, false)

function blockNumber(tag: unknown): number {
  if (tag === 'finalized' || tag === 'safe') return blocks.finalized
  if (tag === 'earliest') return 0
  return typeof tag === 'string' && tag.startsWith('0x') ? Number.parseInt(tag, 16) : blocks.head
}

function getLogs(filter: Filter): (string | Buffer)[] {
  const number = filter.blockHash === undefined ? undefined : blocks.numberOf(filter.blockHash)
  const from = number ?? blockNumber(filter.fromBlock)
  const to = number ?? blockNumber(filter.toBlock)
  if (to > blocks.head || (filter.blockHash !== undefined && number === undefined)) throw new Error('unknown block')
  const wanted = (query: string | string[] | null | undefined, is: string) =>
    query === null || query === undefined || [query].flat().some((one) => one.toLowerCase() === is)
  const [topic0, ...others] = filter.topics ?? []
  if (others.some((topic) => topic !== null)) throw new Error('topics 1 to 3 are not looked at here')
  if (!wanted(filter.address, logs.address) || !wanted(topic0, logs.topic) || others.length > 3) return ['[]']
  const { first, end } = logs.between(from, to)
  return ['[', logs.text(first, end), ']']
}

function ethCall(target: string, calldata: string): string | undefined {
  const to = target.toLowerCase()
  if (to === logs.address) return callContract(calldata, { name, uris, multiple: shape.ids !== undefined })
  if (multicall && to === multicallAddress) return aggregate3(calldata, ethCall)
  return ''
}

function getCode(address: string, block: number): string {
  if (multicall && address === multicallAddress) return '"0x6080604052"'
  return address === logs.address && block >= firstBlock ? '"0x6080604052"' : '"0x"'
}

function result(method: string, params: unknown[]): (string | Buffer)[] {
  const [first, second] = params
  switch (method) {
    case 'eth_chainId':
      return [`"${chainId}"`]
    case 'eth_blockNumber':
      return [`"0x${blocks.head.toString(16)}"`]
    case 'eth_getBlockByNumber':
      return [blocks.block(blockNumber(first), second === true)]
    case 'eth_getBlockByHash':
      return [blocks.block(blocks.numberOf(String(first)) ?? -1, second === true)]
    case 'eth_getBlockReceipts':
      return [blocks.receipts(blocks.numberOf(String(first)) ?? blockNumber(first))]
    case 'eth_getLogs':
      return getLogs(first as Filter)
    case 'eth_getCode':
      return [getCode(String(first).toLowerCase(), blockNumber(second))]
    case 'eth_call': {
      const { to, data, input } = first as { to: string; data?: string; input?: string }
      const output = ethCall(to, (data ?? input ?? '0x').slice(2).toLowerCase())
      if (output === undefined) throw new Error('execution reverted')
      return [`"0x${output}"`]
    }
    default:
      throw Object.assign(new Error(`the method ${method} does not exist`), { code: -32601 })
  }
}

function respond({ id, method, params }: Call): (string | Buffer)[] {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},`
  try {
    return [`${head}"result":`, ...result(method, params ?? []), '}']
  } catch (error) {
    const { message, code } = error as Error & { code?: number }
    const revert = message === 'execution reverted' ? { code: 3, data: '0x' } : { code: code ?? -32000 }
    return [`${head}"error":${JSON.stringify({ ...revert, message })}}`]
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
  const body = JSON.parse(await read(request)) as Call | Call[]
  const parts = Array.isArray(body)
    ? ['[', ...body.flatMap((call, i) => (i === 0 ? respond(call) : [',', ...respond(call)])), ']']
    : respond(body)
  const buffers: Buffer[] = []
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else {
      buffers.push(Buffer.from(text, 'latin1'), part)
      text = ''
    }
  }
  buffers.push(Buffer.from(text, 'latin1'))
  const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
  response.cork()
  for (const buffer of buffers) response.write(buffer)
  response.uncork()
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  answer({ url, contract: logs.address, tokens: logs.tokens, first: firstBlock, finalized: blocks.finalized })
})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
