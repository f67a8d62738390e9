import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { evmChain } from '../../../../test/evmChain.ts'
import { createRpcServer, RpcFailure } from '../../../../test/rpcServer.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import type { Hex } from '../../../util/hex.ts'
import { noopLog } from '../../../util/log.ts'
import { createRpc } from '../rpc/createRpc.ts'
import type { Header, InternalTransfer, RpcTransaction } from '../rpc/rpc.ts'
import { rpcSettings } from '../rpc/rpcSettings.ts'
import { BlockUnsettledError } from './sourceError.ts'
import { createTraceReader } from './traceReader.ts'

const folder = join(import.meta.dirname, '../../../../../shared/data/evm/rpc')
type Recorded = { request: { params: unknown[] }; response: { result?: unknown[] | null } }

function recorded(name: string): Recorded[] {
  if (!existsSync(folder)) return []
  const text = gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`))).toString()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
}

async function read(hashes: readonly Hex[], hash: Hex, answers: Record<string, unknown>): Promise<InternalTransfer[]> {
  const all: Record<string, unknown> = { eth_chainId: '0x7a69', ...answers }
  await using node = await createRpcServer(({ method }) => all[method] ?? new RpcFailure(-32601, 'Method not found'))
  const metrics = createMetrics()
  const chain = evmChain([node.url])
  const settings = rpcSettings.parse({ timeoutMs: 5_000, maxConcurrency: 4, batchSize: 10 })
  const rpc = createRpc({ chain, settings, metrics, log: noopLog })
  const transactions = async () => hashes.map((h) => ({ hash: h }) as RpcTransaction)
  const header = { number: 1n, hash, transactionCount: hashes.length } as Header
  try {
    return await createTraceReader({ rpc, chain, metrics, transactions })(header)
  } finally {
    await rpc.close()
  }
}

type Flat = {
  type: string
  action: Record<string, Hex> & { callType?: string }
  result?: { address?: Hex }
  error?: string
  blockHash: Hex
  transactionHash?: Hex
  traceAddress: number[]
}

describe.skipIf(!existsSync(folder))('recorded blocks of mainnet (skipped where ../shared/data is absent)', () => {
  const blocks = recorded('mainnet__trace_block').flatMap(({ response }) =>
    response.result && response.result.length > 0 ? [response.result as Flat[]] : [],
  )

  test('default: flat traces give the internal transfers, without reverted ones', async () => {
    let moved = 0
    for (const traces of blocks) {
      const inside = traces.filter((trace) => trace.transactionHash)
      const hashes = [...new Set(inside.map((trace) => trace.transactionHash!))]
      // The test finds these traces in another way than the product: it checks every parent trace.
      const expected = inside.flatMap((trace) => {
        const above = inside.filter(
          (other) =>
            other.transactionHash === trace.transactionHash &&
            other.traceAddress.every((place, i) => trace.traceAddress[i] === place),
        )
        if (trace.traceAddress.length === 0 || above.some(({ error }) => error !== undefined)) return []
        if (trace.action.callType !== undefined && trace.action.callType !== 'call') return []
        const value = BigInt(trace.action.value ?? trace.action.balance ?? '0x0')
        const to = trace.action.to ?? trace.action.refundAddress ?? trace.result?.address
        const from = trace.action.from ?? trace.action.address
        return value === 0n ? [] : [`${trace.transactionHash} ${from} ${to} ${value}`]
      })
      const found = await read(hashes, traces[0]!.blockHash, { trace_block: traces })
      expect(found.map((t) => `${t.transactionHash} ${t.from} ${t.to} ${t.value}`)).toEqual(expected)
      moved += found.length
    }
    expect(moved).toBeGreaterThan(50)
  })

  test('behavior: callTracer gives the internal transfers of every transaction of a block', async () => {
    const answer = recorded('mainnet__debug_traceBlockByNumber').find(
      ({ request }) => request.params[0] === '0x172c50b',
    )
    const frames = answer!.response.result as { txHash: Hex }[]
    const hashes = frames.map(({ txHash }) => txHash)
    const hash: Hex = `0x${'1'.repeat(64)}`
    const found = await read(hashes, hash, { debug_traceBlockByHash: frames })
    expect(found.length).toBeGreaterThan(20)
    expect(found.every(({ value }) => value > 0n)).toBe(true)
    await expect(read(hashes, hash, { debug_traceBlockByHash: frames.slice(1) })).rejects.toThrow(
      /360 transactions of 361/,
    )
  })

  test('error: rejects traces that miss a transaction or belong to another block', async () => {
    const traces = blocks.find((found) => new Set(found.map((t) => t.transactionHash)).size > 3)!
    const hashes = [...new Set(traces.flatMap(({ transactionHash }) => transactionHash ?? []))]
    const short = traces.filter(({ transactionHash }) => transactionHash !== hashes[1])
    await expect(read(hashes, traces[0]!.blockHash, { trace_block: short })).rejects.toThrow(/no trace of transaction/)
    await expect(read(hashes, `0x${'2'.repeat(64)}`, { trace_block: traces })).rejects.toThrow(/another block/)
  })
})

describe('answers that no node should give', () => {
  const [hash, block] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`] as const
  const [from, to] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const
  const flat = (trace: object) => ({
    trace_block: [
      { type: 'call', action: {}, blockHash: block, transactionHash: hash, traceAddress: [] },
      { type: 'call', blockHash: block, transactionHash: hash, traceAddress: [0], ...trace },
    ],
  })
  const tree = (call: unknown) => ({
    debug_traceBlockByHash: [{ txHash: hash, result: { type: 'CALL', from, to, calls: [call] } }],
  })
  let deep: object = { type: 'CALL', from, to, value: '0x1' }
  for (let i = 0; i < 2_000; i++) deep = { type: 'DELEGATECALL', from, to, calls: [deep] }

  test.each<[string, Record<string, unknown>]>([
    ['a trace without an action', flat({})],
    ['an amount that is null', flat({ action: { callType: 'call', from, to, value: null } })],
    ['an amount that is not a number', flat({ action: { callType: 'call', from, to, value: '0xzz' } })],
    ['a sender that is a number', flat({ action: { callType: 'call', from: 7, to, value: '0x1' } })],
    ['no place among the traces', flat({ traceAddress: null })],
    ['a call that is null', tree(null)],
    ['calls that are not a list', tree({ type: 'CALL', from, to, value: '0x1', calls: {} })],
    ['an amount of a frame that is not a number', tree({ type: 'CALL', from, to, value: 'much' })],
    ['a frame without a sender', tree({ type: 'CALL', to, value: '0x1' })],
    ['calls within calls without end', tree(deep)],
  ])('error: rejects %s, and requests the block from another node', async (_, answers) => {
    await expect(read([hash], block, answers)).rejects.toBeInstanceOf(BlockUnsettledError)
  })

  test('behavior: fields that some nodes omit or write as null cause no error', async () => {
    const moved = { from, to, value: 1n, gas: 0n, transactionHash: hash }
    const action = { callType: 'call', from, to, value: '0x1' }
    expect(await read([hash], block, flat({ action, error: null }))).toEqual([moved])
    const frame = { type: 'CALL', from, to, value: '0x1', error: null, calls: null }
    expect(await read([hash], block, tree(frame))).toEqual([moved])
    expect(await read([hash], block, tree({ ...frame, value: undefined }))).toEqual([])
    expect(await read([hash], block, tree({ ...frame, value: '0x' }))).toEqual([])
  })
})
