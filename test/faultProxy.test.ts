import { expect, onTestFinished, test } from 'vitest'
import type { Address, Hex } from '../src/util/hex.ts'
import { startAnvil } from './anvil.ts'
import { plain721 } from './contracts/artifacts/plain721.ts'
import type { Fault, FaultPlan } from './faultPlan.ts'
import { startFaultProxy } from './faultProxy.ts'
import { JsonRpcFault, postJsonRpc } from './jsonRpc.ts'
import { rangeRejections, resultRejections } from './rejections.ts'
import { readTruth } from './truth.ts'

type Log = { address: Hex; blockNumber: Hex; logIndex: Hex }

/** Starts a chain whose blocks 2 to 11 have ten mints each, behind a proxy. */
async function start(plan: FaultPlan = {}, seed = 1) {
  const anvil = await startAnvil()
  const nft = await anvil.deploy(plain721, ['Name', 'SYM', ''])
  for (let first = 0n; first < 100n; first += 10n)
    await anvil.send({ to: nft, abi: plain721.abi, functionName: 'mintBatch', args: [anvil.accounts[1]!, first, 10n] })
  const proxy = await startFaultProxy({ target: anvil.url, seed, plan })
  onTestFinished(async () => {
    await proxy.stop()
    await anvil.stop()
  })
  const call = async <T = unknown>(method: string, ...params: unknown[]): Promise<T | JsonRpcFault> =>
    (await postJsonRpc(proxy.url, [{ method, params }]))[0] as T | JsonRpcFault
  const logs = (fromBlock: number, toBlock: number) =>
    call<Log[]>('eth_getLogs', { address: nft, fromBlock: hex(fromBlock), toBlock: hex(toBlock) })
  return { anvil, nft, proxy, call, logs }
}

const hex = (n: number): Hex => `0x${n.toString(16)}`
const always = (...faults: Fault[]): FaultPlan => ({
  faults: Object.fromEntries(faults.map((fault) => [fault, { probability: 1, inARow: Number.POSITIVE_INFINITY }])),
})
const post = (url: string, signal?: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'eth_getBlockByNumber', params: ['0x2', true] }),
    ...(signal && { signal }),
  })

test('default: the fault proxy without a plan forwards everything to the node, and counts the calls', async () => {
  const { anvil, nft, proxy } = await start()
  const through = await readTruth(proxy.url, nft)
  expect(through).toHaveLength(100)
  expect(through).toEqual(await readTruth(anvil.url, nft))
  expect(Object.fromEntries(proxy.requests)).toEqual({ eth_blockNumber: 1, eth_getLogs: 1, eth_call: 100 })
  expect(proxy.exchanges()).toBe(3)
  expect(proxy.counts.size).toBe(0)
})

test('behavior: the fault proxy injects errors of a whole request', async () => {
  const { proxy } = await start(always('tooManyRequests'))
  const limited = await post(proxy.url)
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '0'])
  proxy.setPlan(always('serverError'))
  expect((await post(proxy.url)).status).toBe(502)
  proxy.setPlan(always('htmlAnswer'))
  const html = await post(proxy.url)
  expect([html.status, (await html.text()).startsWith('<!DOCTYPE')]).toEqual([200, true])
  proxy.setPlan(always('brokenJson'))
  const broken = await post(proxy.url)
  await expect(broken.json()).rejects.toThrow(SyntaxError)
  proxy.setPlan(always('cut'))
  await expect(post(proxy.url).then((response) => response.text())).rejects.toThrow()
  proxy.setPlan(always('hang'))
  const given = new AbortController()
  const hanging = post(proxy.url, given.signal)
  await expect.poll(() => proxy.counts.get('hang')).toBe(1)
  given.abort(new Error('given up'))
  await expect(hanging).rejects.toThrow('given up')
  expect(Object.fromEntries(proxy.counts)).toEqual({
    tooManyRequests: 1,
    serverError: 1,
    htmlAnswer: 1,
    brokenJson: 1,
    cut: 1,
    hang: 1,
  })
})

test('behavior: the fault proxy caps block ranges and result sizes with the error text of each provider', async () => {
  const { proxy, logs } = await start()
  for (const wording of Object.keys(rangeRejections) as (keyof typeof rangeRejections)[]) {
    proxy.setPlan({ rangeCap: { blocks: 5n, wording } })
    expect(await logs(2, 6)).toHaveLength(50)
    expect(await logs(2, 7), wording).toBeInstanceOf(JsonRpcFault)
  }
  for (const wording of Object.keys(resultRejections) as (keyof typeof resultRejections)[]) {
    proxy.setPlan({ resultCap: { logs: 20, wording } })
    expect(await logs(2, 3)).toHaveLength(20)
    expect(await logs(2, 4), wording).toBeInstanceOf(JsonRpcFault)
  }
  expect(proxy.counts.get('rangeCap')).toBe(10)
  expect(proxy.counts.get('resultCap')).toBe(5)
  proxy.setPlan({ rejectPastHead: true })
  expect(await logs(2, 12)).toMatchObject({ rpcCode: -32602 })
})

test('behavior: the fault proxy rejects disabled methods and batches over the maximum', async () => {
  const { proxy, call } = await start({ disabledMethods: ['eth_getBlockReceipts'], maxBatch: 2 })
  expect(await call('eth_getBlockReceipts', '0x2')).toMatchObject({ rpcCode: -32601 })
  const three = await fetch(proxy.url, {
    method: 'POST',
    body: JSON.stringify([1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] }))),
  })
  expect(await three.json()).toMatchObject({ id: null, error: { message: expect.stringMatching(/batch/i) } })
})

test('behavior: the fault proxy returns wrong, empty and missing responses', async () => {
  const { proxy, call, logs } = await start(always('wrongBlock'))
  expect(await call('eth_getBlockByNumber', '0x5', false)).toMatchObject({ number: '0x4' })
  expect(Number(((await logs(5, 5)) as Log[])[0]!.blockNumber)).toBeGreaterThan(11)
  proxy.setPlan(always('emptyLogs', 'missingHeader', 'emptyReceipts'))
  expect(await logs(5, 5)).toEqual([])
  expect(await call('eth_getBlockByNumber', '0x5', false)).toBeNull()
  expect(await call('eth_getBlockReceipts', '0x5')).toEqual([])
  proxy.setPlan({ ...always('emptyLogs', 'missingHeader'), nearHeadBlocks: 3n })
  expect(await logs(5, 5)).toHaveLength(10)
  expect(await logs(9, 9)).toEqual([])
  expect(await call('eth_getBlockByNumber', '0x5', false)).toMatchObject({ number: '0x5' })
  proxy.setPlan(always('missingReceipts'))
  expect(await call('eth_getBlockReceipts', '0x5')).toBeNull()
})

test('behavior: the fault proxy reorders, duplicates and adds logs', async () => {
  const { proxy, logs } = await start(always('reversedLogs'))
  expect(((await logs(5, 5)) as Log[]).map((log) => Number(log.logIndex))).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  proxy.setPlan(always('duplicatedLogs'))
  const doubled = (await logs(5, 5)) as Log[]
  expect([doubled.length, new Set(doubled.map((log) => log.logIndex)).size]).toEqual([11, 10])
  proxy.setPlan(always('foreignLogs'))
  expect(new Set(((await logs(5, 5)) as Log[]).map((log) => log.address)).size).toBe(2)
})

test('behavior: a lagging node does not return the last blocks', async () => {
  const { proxy, nft, call, logs } = await start({ ...always('lagging'), lagBlocks: 3n })
  expect(await call('eth_blockNumber')).toBe('0x8')
  expect(await call('eth_getBlockByNumber', 'latest', false)).toMatchObject({ number: '0x8' })
  expect(await call('eth_getBlockByNumber', '0x9', false)).toBeNull()
  expect(await logs(9, 11)).toEqual([])
  expect(await logs(2, 11)).toHaveLength(70)
  expect(await call('eth_getBlockReceipts', '0x9')).toBeNull()
  expect(await call('eth_call', { to: nft, data: '0x06fdde03' }, '0x9')).toMatchObject({ rpcCode: -32000 })
  // Block 11 mints token 99.
  const ownerOf = { to: nft as Address, data: `0x6352211e${(99).toString(16).padStart(64, '0')}` }
  expect(await call('eth_call', ownerOf, 'latest')).toBeInstanceOf(JsonRpcFault)
  proxy.setPlan({})
  expect(await call('eth_call', ownerOf, 'latest')).toMatch(/^0x0{24}[0-9a-f]{40}$/)
})

test('behavior: no injected error occurs more often in a row than its cap, and a seed is reproducible', async () => {
  const plan: FaultPlan = { faults: { internalError: { probability: 1, inARow: 2 }, rateLimited: 0.5 } }
  const { anvil, proxy } = await start(plan, 42)
  const outcomes = async (url: string) => {
    const list: number[] = []
    for (let n = 0; n < 30; n++) {
      const [answer] = await postJsonRpc(url, [{ method: 'eth_chainId', params: [] }])
      list.push(answer instanceof JsonRpcFault ? answer.rpcCode : 0)
    }
    return list
  }
  const first = await outcomes(proxy.url)
  expect(first.filter((code) => code === 0).length).toBeGreaterThan(3)
  expect(first.join(' ')).not.toContain('-32603 -32603 -32603')
  await using other = await startFaultProxy({ target: anvil.url, seed: 42, plan })
  expect(await outcomes(other.url)).toEqual(first)
})
