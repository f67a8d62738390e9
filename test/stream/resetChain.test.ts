import { expect, test } from 'vitest'
import { resetChain } from '../../src/service/resetChain.ts'
import { recountLedger } from '../../src/stream/ledger/recountLedger.ts'
import { insertChain } from '../../src/sync/chainStore.ts'
import { confirmations, openScriptedStreams, type ScriptedStreams } from './scriptedStreams.ts'
import { mintBlocks } from './scriptedTruth.ts'

const chainId = 31_337n

/** Whoever follows the chain finds it gone, and loads everything anew. */
async function reset(t: ScriptedStreams): Promise<void> {
  await resetChain(t.db, chainId)
  t.handler.committed({ fork: 0n, blocks: [], finalized: 0n, released: true })
  await insertChain(t.db, chainId, (await t.chain.source.identity()).genesisHash, 0n, 0n)
}

/** Blocks that a stream holds as confirmed, by number and hash. */
const confirmedOf = (t: ScriptedStreams) =>
  t.db.rows<[bigint, string, bigint]>(
    `SELECT block_number, '0x' || encode(block_hash, 'hex'), count(*) FROM webhook WHERE kind = 'confirmed' AND NOT retracted
     GROUP BY 1, 2 ORDER BY 1, 2`,
  )

test('behavior: a chain that went back below what was final and is reset: what stands of it is not told again, and the stream goes on', async () => {
  await using t = await openScriptedStreams(4)
  const id = await t.create({ from: 0n, all: true })
  mintBlocks(t, 12)
  await t.settle()
  // Restored from a backup: some of the blocks that were final are the same, the others come anew.
  t.chain.drop(6)
  await reset(t)
  await t.settle()
  mintBlocks(t, 10)
  await t.settle()
  expect(await t.demand.get(id)).toMatchObject({ status: 'active', statusMessage: '' })
  expect([await t.states(), (await t.demand.get(id)).statusMessage]).toEqual([{ [id]: 'live' }, ''])
  const hashes = new Set((await confirmedOf(t)).map(([, hash]) => hash))
  const confirmed = t.chain
    .logs()
    .filter(({ blockNumber }) => Number(blockNumber) <= Number(t.chain.head()) - confirmations)
  for (const { blockHash } of confirmed) expect(hashes).toContain(blockHash)
  expect((await confirmedOf(t)).every(([, , count]) => count === 1n)).toBe(true)
  expect((await recountLedger(t.db)).mismatches).toEqual([])
})

test('behavior: a chain that is reset though it is the same goes on, and nothing final is told twice', async () => {
  await using t = await openScriptedStreams(4)
  const id = await t.create({ from: 0n, all: true })
  mintBlocks(t, 12)
  await t.settle()
  await reset(t)
  await t.settle()
  mintBlocks(t, 6)
  await t.settle()
  expect([await t.states(), (await t.demand.get(id)).statusMessage]).toEqual([{ [id]: 'live' }, ''])
  const confirmed = await confirmedOf(t)
  const last = Number(t.chain.head()) - confirmations
  expect(confirmed.map(([number]) => Number(number))).toEqual(Array.from({ length: last }, (_, i) => i + 1))
  expect((await recountLedger(t.db)).mismatches).toEqual([])
})

test('behavior: of a chain that was started again a stream gets the confirmed webhooks alone, then both at the head', async () => {
  await using t = await openScriptedStreams(4)
  await t.settle()
  const id = await t.create({ all: true })
  mintBlocks(t, 12)
  await t.settle()
  t.chain.drop(12)
  mintBlocks(t, 30)
  await reset(t)
  const last = (await t.db.rows<[bigint]>('SELECT max(position) FROM webhook'))[0]![0]
  await t.settle()
  mintBlocks(t, 2)
  await t.settle()
  expect([await t.states(), (await t.demand.get(id)).statusMessage]).toEqual([{ [id]: 'live' }, ''])
  const unconfirmed = await t.db.rows<[bigint]>(
    `SELECT block_number FROM webhook WHERE position > $1 AND kind = 'unconfirmed' ORDER BY 1`,
    [last],
  )
  // Following begins at the finalized block, 26, of which three are unconfirmed then.
  expect(unconfirmed.map(([number]) => Number(number)).filter((number) => number < 24 || number > 28)).toEqual([
    29, 30, 31, 32,
  ])
})
