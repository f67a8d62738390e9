// @module-tag system

import { expect, test } from 'vitest'
import { startAnvil } from '../anvil.ts'
import { runCommand } from '../commandLine.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startTestServer } from '../mintmark.ts'

test('behavior: a live collection is reindexed or removed while the server runs', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 1 })
  const contract = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
  const other = await anvil.deploy(plain721, ['Other', 'OTH', ''])
  const mint = (to: typeof contract, id: bigint) =>
    anvil.send({ to, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[1]!, id] })
  await mint(contract, 1n)
  await mint(contract, 2n)
  await mint(other, 1n)
  await anvil.mine(40)
  await using server = await startTestServer({ rpc: [anvil.url] })
  const { db, url } = server.database
  const collections = (...args: string[]) => runCommand(['collections', ...args, '--database-url', url])
  const ids = async () => (await server.walk(contract)).map(({ token_id }) => token_id).sort()
  await server.untilSynced(contract)
  await server.untilSynced(other)

  const rejected = await collections('reindex', 'local', contract)
  expect(rejected).toMatchObject({ code: 1, out: '' })
  expect(rejected.err).toContain(
    `all data of ${contract} on local (2 tokens) is removed, and the collection is indexed again: add --yes`,
  )
  expect(await collections('reindex', 'local', contract, '--yes')).toEqual({
    code: 0,
    out: `${contract} of local: 2 tokens and 2 transfers are removed, it is queued again\n`,
    err: '',
  })
  await server.untilSynced(contract)
  expect(await ids()).toEqual(['1', '2'])
  await mint(contract, 3n)
  await server.untilSynced(contract, await anvil.blockNumber())
  expect(await ids()).toEqual(['1', '2', '3'])

  const deleted = await collections('delete', '0x7a69', contract, '--yes', '--json')
  expect(JSON.parse(deleted.out)).toMatchObject({ chain: 'local', address: contract, tokens: 3, queued: false })
  // The follower still has the old collection in memory.
  await mint(contract, 4n)
  await mint(other, 2n)
  await server.untilSynced(other, await anvil.blockNumber())
  expect((await server.walk(other)).length).toBe(2)
  for (const table of ['token', 'transfer', 'transfer_range'])
    expect(
      await db.rows(
        `SELECT 1 FROM ${table} t LEFT JOIN collection c ON c.partition = t.partition AND c.id = t.collection_id WHERE c.id IS NULL`,
      ),
      table,
    ).toEqual([])
  expect((await collections('delete', 'local', contract, '--yes')).err).toContain(`${contract} of local is not indexed`)

  await server.untilSynced(contract, await anvil.blockNumber())
  expect(await ids()).toEqual(['1', '2', '3', '4'])
})
