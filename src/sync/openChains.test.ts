import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { evmChain } from '../../test/evmChain.ts'
import { lying, openSource } from '../../test/evmSource.ts'
import { holdClock } from '../../test/holdClock.ts'
import { createRpcServer } from '../../test/rpcServer.ts'
import { createScriptedNode } from '../../test/scriptedNode.ts'
import { InconsistentResponseError } from '../chain/evm/source/sourceError.ts'
import { createGenesisCheck, readMarks } from './chainMarks.ts'
import { readChain } from './chainStore.ts'
import { createOpenChains } from './openChains.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const id = 31337n
const falseHash = `0x${'f'.repeat(64)}` as const

/** Opens a chain of 100 blocks, whose first node returns a false hash of block `lie` while `isLying`. */
async function openWith(lie: number, endpoints: number) {
  const chain = createScriptedNode({ blocks: 100 })
  const state = { isLying: true }
  const truth = chain.handler()
  const liar = await createRpcServer(
    lying(chain, async (call, exchange) => {
      const isAsked = call.method === 'eth_getBlockByNumber' && Number(call.params[0]) === lie
      if (!state.isLying || !isAsked) return undefined
      return { ...((await truth(call, exchange)) as object), hash: falseHash }
    }),
  )
  const honest = await createRpcServer(truth)
  const over = openSource([liar, honest].slice(0, endpoints))
  const { db } = database
  const connect = () => ({ chain: evmChain([]), source: over.source, contracts: {} as never, close: async () => {} })
  const openChains = createOpenChains({ chains: [evmChain([liar.url])], db, connect })
  return {
    state,
    open: () => openChains.open(id, new AbortController().signal),
    async marks() {
      const row = await readChain(db, id)
      const marks = row ? await readMarks(db, id, row) : []
      return marks.map(({ number, hash }) => hash === chain.blocks[Number(number)]!.hash)
    },
    async [Symbol.asyncDispose]() {
      await openChains.close()
      await over[Symbol.asyncDispose]()
      await Promise.all([liar.close(), honest.close()])
    },
  }
}

test.each([1, 2])('behavior: a false hash of block 0 is not stored; endpoints: %i', async (endpoints) => {
  await using chain = await openWith(0, endpoints)
  await expect(chain.open()).rejects.toMatchObject({ code: 'INCONSISTENT_RESPONSE' })
  expect(await chain.marks()).toEqual([])
  chain.state.isLying = false
  await chain.open()
  expect(await chain.marks()).toEqual([true, true, true])
})

test.each([1, 2])('behavior: a false hash of block 1 is no mark; endpoints: %i', async (endpoints) => {
  await using chain = await openWith(1, endpoints)
  await chain.open()
  expect(await chain.marks()).toEqual([true, true])
})

test('behavior: if nodes disagree about block 0 for long, the first one counts', async () => {
  await using chain = await openWith(0, 2)
  const clock = holdClock()
  await expect(chain.open()).rejects.toMatchObject({ code: 'INCONSISTENT_RESPONSE' })
  clock.advance(40_000)
  await chain.open()
  expect((await chain.marks())[0]).toBe(false)
})

test('behavior: nodes that agreed about block 0 may disagree again as long as before', async () => {
  const clock = holdClock()
  const source = { headers: vi.fn(async () => [{ timestamp: 0n }]), confirm: vi.fn(async () => {}) }
  const wrong = new InconsistentResponseError({ chain: 'local', question: 'block 0', reason: 'nodes disagree' })
  const check = createGenesisCheck()
  const confirm = () => check(id, falseHash, { source: source as never, signal: new AbortController().signal })
  source.confirm.mockRejectedValueOnce(wrong)
  await expect(confirm()).rejects.toBe(wrong)
  await confirm()
  clock.advance(40_000)
  source.confirm.mockRejectedValueOnce(wrong)
  await expect(confirm()).rejects.toBe(wrong)
})
