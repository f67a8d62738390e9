// @module-tag system

import { encodeAbiParameters, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { type Address, zeroAddress } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { emitter } from '../contracts/artifacts/emitter.ts'
import { transferLogs } from '../contracts/transferLogs.ts'
import { startTestServer } from '../mintmark.ts'

test('behavior: metadata that changed in a block of history is read again if a reorg removes the block', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 32 })
  await using server = await startTestServer({ rpc: [anvil.url], config: { metadata: { coolOffMs: 0 } } })
  const [holder] = anvil.accounts as [Address]
  const to = await anvil.deploy(emitter, [])
  const own = { to, abi: emitter.abi } as const
  async function setName(name: string): Promise<void> {
    const uri = encodeAbiParameters([{ type: 'string' }], [`data:application/json,{"name":"${name}"}`])
    await anvil.send({ ...own, functionName: 'answer', args: [toFunctionSelector('tokenURI(uint256)'), false, uri] })
  }
  await anvil.send({
    ...own,
    functionName: 'emitLogs',
    args: [[transferLogs.erc721(zeroAddress, holder, 7n)]],
  } as never)
  await setName('kept')
  await anvil.mine(5)
  await setName('undone')
  await anvil.mine(1)
  async function name(): Promise<unknown> {
    const response = await server.get(`/api/v2/nft/${to}/7?chain=local`)
    const { metadata } = (await response.json()) as { metadata?: string | null }
    return JSON.parse(metadata ?? '{}').name
  }
  await server.untilSynced(to, await anvil.blockNumber())
  await expect.poll(name).toBe('undone')
  await anvil.reorg(3)
  await anvil.mine(3)
  await expect.poll(name).toBe('kept')
})
