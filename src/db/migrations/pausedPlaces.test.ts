import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { silentLog } from '../../log.ts'
import { readChanges } from '../../stream/definition/streamChange.ts'
import { migrate } from '../migrate.ts'
import { pausedPlaces } from './0018_paused_places.ts'
import { migrations } from './index.ts'

const ids = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`)

test('behavior: streams that were paused stand after the cursor of each chain and match from there on', async () => {
  const { db, drop } = await createTestDatabase({ migrated: false })
  onTestFinished(drop)
  const earlier = migrations.filter(({ id }) => id < pausedPlaces.id)
  await migrate(db, silentLog, earlier)
  await db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number)
     VALUES (5, '\\x05', 100, '\\x01', 100, 90), (6, '\\x06', 200, '\\x02', 200, 190)`,
  )
  await db.run(
    `INSERT INTO stream (partition, id, status, webhook_url, webhook_secret, description, tag, chain_ids, definition)
     SELECT 1, id, status, '', '', '', '', '{5,6}', '{"abi":[{"name":"\\u0000"}]}'
     FROM unnest($1::uuid[], '{paused,active,terminated,paused}'::text[]) AS v (id, status)`,
    [ids],
  )
  await db.run(
    `INSERT INTO stream_chain (partition, stream_id, chain_id, state, from_block, next_block, failure)
     SELECT 1, id, chain, CASE WHEN id = $2 THEN 'history' ELSE 'live' END, 7, 8, 'a node failed'
     FROM unnest($1::uuid[]) id, unnest('{5,6}'::int[]) chain`,
    [ids, ids[3]],
  )
  await db.run(
    `INSERT INTO stream_change (partition, stream_id, chain_ids, effective, before, after)
     VALUES (1, $1, '{5,6}', '{101,50}', '{"active":true}', '{"active":false}')`,
    [ids[0]],
  )
  await migrate(db, silentLog, [...earlier, pausedPlaces])
  const places = await db.rows(
    'SELECT stream_id::text, chain_id, state, next_block, failure FROM stream_chain ORDER BY 1, 2',
  )
  expect(places).toEqual([
    [ids[0], 5n, 'paused', 101n, null],
    [ids[0], 6n, 'paused', 201n, null],
    [ids[1], 5n, 'live', 8n, 'a node failed'],
    [ids[1], 6n, 'live', 8n, 'a node failed'],
    [ids[2], 5n, 'paused', 101n, null],
    [ids[2], 6n, 'paused', 201n, null],
    [ids[3], 5n, 'paused', 8n, null],
    [ids[3], 6n, 'paused', 8n, null],
  ])
  const changes = await readChanges(db, 5n, { after: 0n })
  const told = changes.map(({ streamId, effective, after }) => [streamId, effective, after?.active])
  expect(told[0]).toEqual([ids[0], 101n, false])
  expect(told.slice(1).sort()).toEqual([
    [ids[0], 101n, true],
    [ids[2], 101n, true],
    [ids[3], 8n, true],
  ])
})
