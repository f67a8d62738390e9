// @module-tag system

import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { expect, test } from 'vitest'
import { startAnvil } from '../anvil.ts'
import { inFrontOf } from '../contractReader.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { postJsonRpc } from '../jsonRpc.ts'
import { startTestServer } from '../mintmark.ts'

test('behavior: states, snapshots and transfers have the right block hash although all logs contain the same hash', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 1 })
  const contract = await anvil.deploy(plain721, ['Named', 'NMD', ''])
  const [alice, bob] = anvil.accounts as [`0x${string}`, `0x${string}`]
  const blocks: bigint[] = []
  for (const [id, owner] of [alice, bob, alice].entries()) {
    await anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [owner, BigInt(id)] })
    blocks.push(await anvil.blockNumber())
  }
  // Logs of the last thousand final blocks are validated against headers. The mints must be older.
  await anvil.mine(1_200)
  const nobody = `0x${'00'.repeat(32)}`
  await using node = await inFrontOf(anvil, async ({ method, params }) => {
    if (method !== 'eth_getLogs') return undefined
    const [logs] = await postJsonRpc(anvil.url, [{ method, params: params as unknown[] }])
    return (logs as object[]).map((log) => ({ ...log, blockHash: nobody }))
  })
  await using server = await startTestServer({ rpc: [node.url] })
  await server.untilSynced(contract, 1_200n)
  for (const [last, block] of blocks.entries()) {
    const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])
    const { body, headers } = await server.page(contract, { as_of_block: String(block) })
    expect([body.result.length, headers.get('x-as-of-block-hash')]).toEqual([last + 1, hash])
    const file = await server.get(`/api/v2/nft/${contract}/snapshot?chain=local&as_of_block=${block}`)
    const rows = (await file.text()).trim().split('\n').slice(1)
    expect(rows).toEqual([alice, bob, alice].slice(0, last + 1).map((owner, id) => `${id},${owner},1`))
    const leaves = rows.map((row) => row.split(',') as [string, string, string])
    const tree = StandardMerkleTree.of(
      leaves.map(([id, owner, amount]) => [owner, id, amount]),
      ['address', 'uint256', 'uint256'],
    )
    expect([file.headers.get('x-snapshot-root'), file.headers.get('x-snapshot-block-hash')]).toEqual([tree.root, hash])
    const moved = await server.get(`/api/v2/block/${hash}/nft/transfers?chain=local&disable_total=false`)
    expect(await moved.json()).toMatchObject({
      total: 1,
      result: [{ block_number: String(block), token_id: `${last}` }],
    })
  }
})
