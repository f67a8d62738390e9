import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { silentLog } from '../../log.ts'
import { migrate } from '../migrate.ts'
import { following } from './0015_following.ts'
import { migrations } from './index.ts'

test('behavior: what was kept for reorganisations gets the chain of its collection', async () => {
  const { db, drop } = await createTestDatabase({ migrated: false })
  onTestFinished(drop)
  const earlier = migrations.filter(({ id }) => id < following.id)
  await migrate(db, silentLog, earlier)
  await db.run(
    `WITH c AS (INSERT INTO collection (partition, chain_id, address) VALUES (1, 5, '\\x01'), (1, 6, '\\x02') RETURNING id, chain_id)
     INSERT INTO token_undo (partition, collection_id, block_number, token_hash)
     SELECT 1, id, 10 * chain_id, md5(id::text)::uuid FROM c UNION ALL SELECT 1, 1000, 7, md5('gone')::uuid`,
  )
  await migrate(db, silentLog, [...earlier, following])
  expect(await db.rows('SELECT chain_id, block_number FROM token_undo ORDER BY 1')).toEqual([
    [5n, 50n],
    [6n, 60n],
  ])
})
