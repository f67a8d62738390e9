import { expect, test } from 'vitest'
import { nft, openSource, other } from '../../../../test/evmSource.ts'
import { createRpcServer, type RpcHandler } from '../../../../test/rpcServer.ts'
import { createScriptedNode } from '../../../../test/scriptedNode.ts'
import type { Hex } from '../../../util/hex.ts'

const hashes = Array.from({ length: 60 }, (_, i): Hex => `0x${(i + 1).toString(16).padStart(64, '0')}`)

test('behavior: senders that one endpoint lacks or answers wrongly are requested from another', async () => {
  const chain = createScriptedNode({ blocks: 5 })
  const nodeWith =
    (answer: (hash: Hex) => unknown): RpcHandler =>
    (call, exchange) =>
      call.method === 'eth_getTransactionByHash' ? answer(call.params[0] as Hex) : chain.handler()(call, exchange)
  await using wrong = await createRpcServer(
    nodeWith((hash) => (hash === hashes[0] ? { hash: hashes[1], from: other } : null)),
  )
  await using right = await createRpcServer(
    nodeWith((hash) => (hash === hashes[59] ? null : { hash, from: nft.toUpperCase().replace('0X', '0x') })),
  )
  await using over = openSource([wrong, right])
  const expected = hashes.map((hash) => (hash === hashes[59] ? null : nft))
  expect(await over.source.senders(hashes)).toEqual(expected)
})
