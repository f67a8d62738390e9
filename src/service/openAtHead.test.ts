import { expect, test } from 'vitest'
import { lying, openSource } from '../../test/evmSource.ts'
import { createRpcServer, type RpcHandler } from '../../test/rpcServer.ts'
import { createScriptedNode } from '../../test/scriptedNode.ts'
import type { OpenChains } from '../sync/openChains.ts'
import { readLinkedHead } from './openAtHead.ts'

const never = new AbortController().signal

/** The head that is read from nodes with these handlers. */
async function readFrom(...handlers: RpcHandler[]): Promise<bigint | undefined> {
  await using servers = new AsyncDisposableStack()
  const nodes = await Promise.all(handlers.map((handler) => createRpcServer(handler)))
  for (const node of nodes) servers.use(node)
  const { source } = servers.use(openSource(nodes))
  return await readLinkedHead({ open: async () => ({ source }) } as unknown as OpenChains, 31337n, never)
}

test('default: a head whose parent the node has is read, and so is block 0', async () => {
  expect(await readFrom(createScriptedNode({ blocks: 10 }).handler())).toBe(9n)
  expect(await readFrom(createScriptedNode({ blocks: 1 }).handler())).toBe(0n)
})

test('behavior: a head far above the chain of the node is not read', async () => {
  const chain = createScriptedNode({ blocks: 10 })
  const above = createScriptedNode({ blocks: 1_000 }).handler()
  const lie: RpcHandler = (call, exchange) =>
    ['latest', '0x3e7'].includes(String(call.params[0])) ? above(call, exchange) : undefined
  expect(await readFrom(lying(chain, lie))).toBeUndefined()
})
