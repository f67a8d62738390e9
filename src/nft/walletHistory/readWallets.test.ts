import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { scriptedEth } from '../../../test/historySlice.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { hexToBuffer } from '../../util/hex.ts'
import { createWorkPriority } from '../../util/workPriority.ts'
import { insertKnown } from '../store/knownContracts.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { readWallets } from './readWallets.ts'

const contract = `0x${'aa'.repeat(20)}` as const
const holder = '1'.padStart(40, '0')
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test.each([true, false])(
  'behavior: a token that is burned and minted again loses its metadata if its wallet was followed before (%s)',
  async (wasLive) => {
    const { db } = database
    await db.transaction((tx) => tx.script('TRUNCATE collection, token_metadata, wallet, wallet_move, worker, lease'))
    const worker = await seedWorker(db)
    await seedLease(db, 'partition', 7, worker)
    const chain = createScriptedChain(contract, 0)
    const moves = [
      { token: 1, from: 0, to: 1 },
      { token: 2, from: 0, to: 1 },
      { token: 1, from: 1, to: 0 },
      { token: 1, from: 0, to: 1 },
    ]
    for (const move of moves) chain.add([move])
    await insertKnown(db, scriptedEth.id, [{ address: contract, standard: 'ERC721' }], { discovered: false })
    const [known] = await db.rows<[number, bigint]>('SELECT partition, id FROM collection')
    for (const tokenId of ['1', '2'])
      await db.run(
        `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, document_hash, tried_at)
         VALUES ($1, $2, $3, 'ok', 0, '', '\\x01', now())`,
        [...known!, tokenHash(contract, tokenId)],
      )
    const [row] = await db.rows<[bigint]>(
      `INSERT INTO wallet (partition, chain_id, address, requested_by, status, from_block, to_block, coverage, live_since)
       VALUES (7, $1, $2, 0, 'syncing', 0, 2, '{[0,3)}', CASE WHEN $3 THEN now() END) RETURNING id`,
      [scriptedEth.id, hexToBuffer(`0x${holder}`), wasLive],
    )
    const wallet = {
      ...{ partition: 7, id: row![0], chainId: scriptedEth.id, holder, attempts: 0, transfers: 0, wasLive },
      coverage: [{ from: 0n, to: 2n }],
    }
    const options = { chain: scriptedEth, source: chain.source, db, worker: () => worker, onMoves: () => undefined }
    const common = { settings: { maxTransfers: 100 }, workPriority: createWorkPriority(), metrics: createMetrics() }
    const slice = { isOver: () => false, signal: new AbortController().signal }
    expect(await readWallets({ ...options, ...common }, [wallet], slice)).toMatchObject({ outcome: 'complete' })
    const left = await db.rows<[string]>(`SELECT encode(uuid_send(token_hash), 'hex') FROM token_metadata`)
    expect(left.flat().sort()).toEqual((wasLive ? ['2'] : ['1', '2']).map((id) => tokenHash(contract, id)).sort())
  },
)
