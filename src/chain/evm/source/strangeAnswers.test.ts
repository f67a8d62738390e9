import { expect, test } from 'vitest'
import { mint, nft, openSource, topics } from '../../../../test/evmSource.ts'
import { createRandom, freshSeed } from '../../../../test/random.ts'
import { createRpcServer, type RpcHandler } from '../../../../test/rpcServer.ts'
import { createScriptedNode } from '../../../../test/scriptedNode.ts'
import { MintmarkError } from '../../../util/errors.ts'
import type { Header } from '../rpc/rpc.ts'
import type { EvmSource } from './source.ts'

const seed = freshSeed()
const random = createRandom(seed)
const word = `0x${'f'.repeat(64)}`
const strange = [null, undefined, true, 0, -1, 1e300, '', '0x', '0xzz', 'x', word, {}, [], [null], [[]], '\u0000']

/** The same value with one part, at any depth, replaced. */
function distorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return random.pick(strange)
  const keys = Object.keys(value)
  if (keys.length === 0) return random.pick(strange)
  const key = random.pick(keys)
  const inner = distorted((value as Record<string, unknown>)[key])
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner }
}

test(`error: a node answer with any one part distorted is read or rejected with a reason, without crashing (seed ${seed})`, async () => {
  const chain = createScriptedNode({ blocks: 5 })
  const { hash, parentHash, logsBloom, logs } = chain.add([mint(), mint(nft, 2)])
  const truth = chain.handler()
  const call = { type: 'CALL', from: nft, to: nft, value: '0x1' }
  const action = { callType: 'call', from: nft, to: nft, value: '0x1', gas: '0x1' }
  const hashes = logs.map(({ transactionHash }) => transactionHash)
  const transactions = hashes.map((own) => ({ hash: own, from: nft, to: nft, value: '0x1' }))
  const whole = { number: '0x5', hash, parentHash, timestamp: '0x1', logsBloom, transactions }
  const answers: Record<string, unknown> = {
    eth_getBlockByHash: whole,
    trace_block: hashes.flatMap((transactionHash) =>
      [[], [0]].map((traceAddress) => ({ type: 'call', action, blockHash: hash, transactionHash, traceAddress })),
    ),
    debug_traceBlockByHash: hashes.map((txHash) => ({ txHash, result: { ...call, calls: [call] } })),
    eth_getBalance: '0x1',
  }
  /** The method with distorted answers, and another one that is rejected so that this one is called. */
  let [method, rejected] = ['', '']
  const handler: RpcHandler = (requested, exchange) => {
    if (requested.method === rejected) return truth({ ...requested, method: 'none' }, exchange)
    const answer = answers[requested.method] ?? truth(requested, exchange)
    return requested.method === method ? distorted(structuredClone(answer)) : answer
  }
  await using server = await createRpcServer(handler)

  const header = { number: 5n, hash, parentHash, timestamp: 1n, logsBloom, transactionCount: 2 } as Header
  const watched = { topics, watched: () => true, watchedList: () => [nft] }
  const traces = (source: EvmSource) => source.internalTransfers(header)
  const questions: [method: string, refused: string, ask: (source: EvmSource) => Promise<unknown>][] = [
    ['eth_chainId', '', (source) => source.identity()],
    ['eth_getBlockByNumber', '', (source) => source.identity()],
    ['eth_getBlockByNumber', '', (source) => source.head()],
    ['eth_getBlockByNumber', '', (source) => source.headers(0n, 5n)],
    ['eth_getBlockByNumber', '', (source) => source.headerUnder(header, 3n)],
    ['eth_getLogs', '', (source) => source.logs({ address: nft, topics, from: 0n, to: 5n })],
    ['eth_getLogs', '', (source) => source.blockLogs(header, watched)],
    ['eth_getBlockReceipts', 'eth_getLogs', (source) => source.blockLogs(header, watched)],
    ['eth_getTransactionReceipt', 'eth_getBlockReceipts', (source) => source.receipts(header)],
    ['eth_getBlockReceipts', '', (source) => source.receipts(header)],
    ['eth_getBlockByHash', '', (source) => source.transactions(header)],
    ['trace_block', '', traces],
    ['debug_traceBlockByHash', 'trace_block', traces],
    ['eth_getTransactionByHash', '', (source) => source.senders([hash])],
    ['eth_getBalance', '', (source) => source.balances(header, [nft])],
  ]
  const stumbled = new Set<string>()
  for (let round = 0; round < 4; round++)
    for (const question of questions) {
      ;[method, rejected] = question
      await using over = openSource([server], { finalityDepth: 1 })
      await question[2](over.source).catch((error: unknown) => {
        if (!(error instanceof MintmarkError)) stumbled.add(`${method}: ${(error as Error).stack}`)
      })
    }
  expect([...stumbled].join('\n')).toBe('')
})
