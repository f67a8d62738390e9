import { expect, test } from 'vitest'
import { evmChain } from '../../../test/evmChain.ts'
import { openSource } from '../../../test/evmSource.ts'
import { createRpcServer } from '../../../test/rpcServer.ts'
import { createScriptedNode } from '../../../test/scriptedNode.ts'
import { definitionSchema } from '../streamDefinition.ts'
import { previewStream } from './previewStream.ts'

const log = { address: `0x${'aa'.repeat(20)}`, topics: [`0x${'7e'.repeat(32)}`] } as const

/** A node that never answers log requests for some blocks, and a preview that queries it. */
async function openPreview(hangs: (number: number) => boolean, blocks = 20) {
  const script = createScriptedNode()
  for (let i = 0; i < blocks; i++) script.add([{ ...log, topics: [...log.topics] }])
  const truth = script.handler()
  const time = new AbortController()
  const node = await createRpcServer((call, exchange) => {
    const { blockHash } = (call.params[0] ?? {}) as { blockHash?: string }
    const block = script.blocks.find(({ hash }) => hash === blockHash)
    return block && hangs(block.number) ? new Promise(() => {}) : truth(call, exchange)
  })
  const { source, [Symbol.asyncDispose]: closeSource } = openSource([node])
  return {
    node,
    time,
    preview: () =>
      previewStream({
        open: { chain: evmChain([node.url]), source, contracts: {} as never, close: async () => {} },
        tokens: { read: async () => new Map(), spamAmong: async () => new Set() },
        streamId: '',
        shape: {
          active: true,
          tag: '',
          chainIds: ['31337'],
          definition: definitionSchema.parse({ allAddresses: true, includeContractLogs: true }),
        },
        addresses: null,
        head: BigInt(blocks - 1),
        blocks: 100,
        maxBytes: 5_000_000,
        signal: time.signal,
      }),
    async [Symbol.asyncDispose]() {
      await closeSource()
      await node.close()
    },
  }
}

test('default: a preview covers the requested number of latest blocks', async () => {
  await using t = await openPreview(() => false, 105)
  expect(await t.preview()).toMatchObject({
    ...{ fromBlock: '5', toBlock: '104', blocks: 100 },
    cutShort: [{ reason: 'samples' }],
    matched: { blocks: 100, webhooks: 100, logs: 100 },
  })
})

test('behavior: a preview with a hanging node ends in time, with the blocks above the one it waited for', async () => {
  await using t = await openPreview((number) => number <= 11)
  const preview = t.preview()
  // The preview requests blocks 11 to 8 once it has matched all blocks above them, each of which it requested twice.
  await expect.poll(() => t.node.calls('eth_getLogs').length).toBe(2 * 8 + 4)
  t.time.abort()
  expect(await preview).toMatchObject({
    ...{ fromBlock: '12', toBlock: '19', blocks: 8 },
    cutShort: [{ reason: 'time', message: 'the time for a preview ended before block 11 was read' }],
    matched: { webhooks: 8, logs: 8 },
  })
})

test('error: a preview that read no block in time fails', async () => {
  await using t = await openPreview(() => true)
  const preview = t.preview()
  await expect.poll(() => t.node.calls('eth_getLogs').length).toBe(4)
  t.time.abort()
  await expect(preview).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'the time for a preview ended before block 19 was read; retry',
  })
})
