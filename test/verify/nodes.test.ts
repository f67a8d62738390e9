// @module-tag system

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address, Hex } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { hostile721 } from '../contracts/artifacts/hostile721.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { installMulticall } from '../contracts/installMulticall.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { RpcFailure } from '../rpcServer.ts'
import { system } from '../system.ts'
import { createVerifier, nodeInFrontOf } from './verifying.ts'

let anvil: Anvil
let server: TestServer
let verifier: ReturnType<typeof createVerifier>
let alice: Address
let bob: Address
let plain: Address
let head: bigint

beforeAll(async () => {
  anvil = await startAnvil({ slotsInAnEpoch: 4 })
  ;[alice, bob] = anvil.accounts as [Address, Address]
  plain = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  await anvil.send({ to: plain, abi: plain721.abi, functionName: 'mintBatch', args: [alice, 0n, 120n] })
  await anvil.mine(20)
  server = await startTestServer({ rpc: [anvil.url], config: { metadata: { concurrentCollections: 1 } } })
  verifier = createVerifier(server.database.url)
  head = await anvil.blockNumber()
  await server.untilSynced(plain, head)
})
afterAll(async () => {
  verifier?.close()
  await server?.close()
  await anvil?.stop()
})

const hostOf = (url: string) => new URL(url).host
/** ownerOf(id) */
const ownerOf = (id: number): Hex => `0x6352211e${id.toString(16).padStart(64, '0')}`
const isCall = (params: readonly unknown[], data: Hex) => (params[0] as { data: Hex }).data === data

test('default: verify reports two nodes that agree, and queries everything from each', async () => {
  await using one = await nodeInFrontOf(anvil.url, () => undefined)
  await using two = await nodeInFrontOf(anvil.url, () => undefined)
  const { code, report } = await verifier.verify([one.url, two.url], plain)
  expect({ code, nodes: report.nodes }).toEqual({
    code: 0,
    nodes: [one, two].map(({ url }) => ({ node: hostOf(url), failure: null })),
  })
  for (const node of [one, two]) expect(node.calls('eth_call').length).toBeGreaterThanOrEqual(120)
})

test.each([0, 1])(
  'behavior: verify reports which of two nodes differs, the first or the second (%i)',
  async (place) => {
    await using liar = await nodeInFrontOf(anvil.url, ({ method, params }) => {
      if (method === 'eth_call' && isCall(params, ownerOf(7))) return `0x${bob.slice(2).padStart(64, '0')}`
      if (method === 'eth_call' && isCall(params, ownerOf(8))) return new RpcFailure(3, 'execution reverted')
      return undefined
    })
    const nodes = [anvil.url, anvil.url.replace('127.0.0.1', 'localhost')]
    nodes[place] = liar.url
    const { code, err, report } = await verifier.verify(nodes, plain)
    expect(code).toBe(1)
    expect(report.mismatches).toEqual([])
    const node = hostOf(liar.url)
    expect(report.nodeDifferences).toHaveLength(2)
    expect(report.nodeDifferences).toEqual(
      expect.arrayContaining([
        { kind: expect.any(String), tokenId: '7', holder: null, stored: alice, node, says: bob },
        { kind: expect.any(String), tokenId: '8', holder: null, stored: alice, node, says: null },
      ]),
    )
    expect(err).toContain(`${node} returned 2 responses that differ from another node`)
  },
)

test('behavior: verify skips and reports an unreachable node, and fails if there is no other one', system, async () => {
  const unreachable = 'http://127.0.0.1:1'
  // A node is retried for some seconds.
  const [{ code, report }, alone] = await Promise.all([
    verifier.verify([anvil.url, unreachable], plain),
    verifier.run([unreachable], ['local', plain]),
  ])
  expect({ code, nodes: report.nodes }).toEqual({
    code: 0,
    nodes: [
      { node: hostOf(anvil.url), failure: null },
      { node: '127.0.0.1:1', failure: expect.stringContaining('connection refused') },
    ],
  })
  expect(alone).toMatchObject({ code: 1, out: '' })
  expect(alone.err).toMatch(/^mintmark: no node can be queried: [^\n]*127\.0\.0\.1:1[^\n]*chains\.NAME\.rpc[^\n]*\n$/)
})

test.each([
  ['keeps no state', 'eth_getCode', new RpcFailure(-32000, 'missing trie node abc (path )')],
  ['is behind', 'eth_getBlockByNumber', null],
])('error: verify reports a node that %s with the fix', async (_, rejected, answer) => {
  await using node = await nodeInFrontOf(anvil.url, ({ method, params }) =>
    method === rejected && params[0] !== '0x0' ? answer : undefined,
  )
  const { code, out, err } = await verifier.run([node.url], ['local', plain])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(
    new RegExp(
      `^mintmark: ${hostOf(node.url)} (keeps no state of|has no) block ${head}\\b[^\n]*chains\\.local\\.rpc\n$`,
    ),
  )
})

test('error: verify rejects a node of another chain with the same id', async () => {
  const other = await startAnvil({ args: ['--timestamp', '1600000000'] })
  try {
    await other.mine(Number(head) + 1)
    const { code, err } = await verifier.run([other.url], ['local', plain])
    expect(code).toBe(1)
    expect(err).toContain('but the stored data is of genesis')
  } finally {
    await other.stop()
  }
})

test('behavior: a reorganisation during verify restarts it, and earlier responses are discarded', async () => {
  let anchors = 0
  await using node = await nodeInFrontOf(anvil.url, async ({ method, params }, { calls }) => {
    if (method === 'eth_getBlockByNumber' && params[0] !== '0x0' && calls.length === 2) {
      anchors++
      if (anchors !== 2) return undefined
      const block = await anvil.rpc<Record<string, unknown>>('eth_getBlockByNumber', params)
      return { ...block, hash: `0x${'ee'.repeat(32)}` }
    }
    // Until the block is replaced, token 5 has another owner on this chain.
    if (method === 'eth_call' && anchors < 2 && isCall(params, ownerOf(5))) return `0x${bob.slice(2).padStart(64, '0')}`
    return undefined
  })
  const { code, report } = await verifier.verify([node.url], plain)
  expect(anchors).toBeGreaterThan(3)
  expect({ code, ...report }).toMatchObject({ code: 0, agrees: true, mismatches: [] })
})

test('behavior: verify queries a collection in few calls with multicall, and singly without it', async () => {
  await using node = await nodeInFrontOf(anvil.url, () => undefined)
  await verifier.verify([node.url], plain)
  expect(node.calls('eth_call').length).toBeGreaterThanOrEqual(120)
  await installMulticall(anvil)
  await anvil.mine(1)
  await server.untilSynced(plain, await anvil.blockNumber())
  await using again = await nodeInFrontOf(anvil.url, () => undefined)
  expect((await verifier.verify([again.url], plain)).code).toBe(0)
  expect(again.calls('eth_call').length).toBeLessThan(20)
})

test('behavior: verify reports invalid contract responses as mismatches, without a crash', async () => {
  await using node = await nodeInFrontOf(anvil.url, ({ method, params }) => {
    if (method !== 'eth_call') return undefined
    const { data } = params[0] as { data: Hex }
    // If Multicall's result is not a list, each call is sent separately.
    if (!data.startsWith('0x6352211e')) return '0x'
    const id = Number(`0x${data.slice(10)}`)
    return ['0x', '0x01', `0x${'ff'.repeat(32)}`, `0x${'00'.repeat(5_000_000)}`, 7, null, {}, '0xzz'][id % 8]
  })
  const { code, report } = await verifier.verify([node.url], plain, '--sample', '40', '--seed', 'rubbish')
  expect(code).toBe(1)
  expect(report.mismatchCounts).toMatchObject({ surplus: 40 })
})

test('behavior: verify compares a hostile contract completely', async () => {
  const to = await anvil.deploy(hostile721, ['0x00', '0x00', '0x00'])
  await anvil.send({ to, abi: hostile721.abi, functionName: 'mintBatch', args: [alice, 0n, 5n] })
  await server.untilSynced(to, await anvil.blockNumber())
  const { code, out } = await verifier.run([anvil.url], ['local', to])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('everything agrees') })
})

test('error: verify rejects a contract that is not indexed, and invalid arguments', async () => {
  const never = `0x${'99'.repeat(20)}`
  expect(await verifier.run([anvil.url], ['local', never])).toMatchObject({
    code: 1,
    err: expect.stringContaining('mintmark index'),
  })
  for (const args of [
    [],
    ['local'],
    ['local', plain, '--sample', '0'],
    ['local', plain, '--at', 'x'],
    ['local', plain, '--seed', 'x'],
    ['local', plain, '--streams'],
  ]) {
    const { code, err } = await verifier.run([anvil.url], args)
    expect([args, code]).toEqual([args, 2])
    expect(err).toMatch(/^mintmark: [^\n]+: see "mintmark verify --help"\n$/)
  }
})
