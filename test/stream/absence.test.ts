// @module-tag system

import { expect, test } from 'vitest'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { JsonRpcFault, postJsonRpc } from '../jsonRpc.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { createRpcServer, RawAnswer, RpcFailure } from '../rpcServer.ts'
import { startStreamServer } from './streamServer.ts'
import { confirmations, type Expected, expectTruth } from './streamTruth.ts'

test('behavior: after an outage too long to follow, history matches the missed blocks and the stream is live again', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  let isUnreachable = false
  await using node = await createRpcServer(async ({ method, params }) => {
    if (isUnreachable) return new RawAnswer(503)
    const [answer] = await postJsonRpc(anvil.url, [{ method, params }])
    return answer instanceof JsonRpcFault ? new RpcFailure(answer.rpcCode, answer.message, answer.data) : answer
  })
  const contract = await anvil.deploy(plain721, ['Away', 'AWY', ''])
  await anvil.mine(10)
  await using t = await startStreamServer(node.url, { chains: { local: { confirmations, pollIntervalMs: 20 } } })
  const { id, effectiveBlocks } = await t.create({ includeContractLogs: true })
  const from = await t.add(id, contract)
  expect(from).toBeGreaterThanOrEqual(BigInt(effectiveBlocks['0x7a69']!))
  const stream: Expected = { id, from, spans: [{ address: contract, from, to: null }], takesLog: () => true }
  await randomActivity(anvil, { erc721: [contract] }, random, 5)
  await expectTruth(t, anvil, [stream])
  await randomActivity(anvil, { erc721: [contract] }, random, 2)
  isUnreachable = true
  await anvil.mine(500)
  await randomActivity(anvil, { erc721: [contract] }, random, 5)
  await anvil.mine(600)
  await randomActivity(anvil, { erc721: [contract] }, random, 5)
  isUnreachable = false
  await expectTruth(t, anvil, [stream])
  await randomActivity(anvil, { erc721: [contract] }, random, 3)
  await expectTruth(t, anvil, [stream])
  const [row] = await t.server.database.db.rows<[bigint]>('SELECT count(*) FROM webhook WHERE NOT live')
  expect(row![0]).toBeGreaterThan(0n)
})
