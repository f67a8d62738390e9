import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { silentLog } from '../../log.ts'
import { migrate } from '../migrate.ts'
import { endpointSecrets } from './0028_endpoint_secrets.ts'
import { migrations } from './index.ts'

const id = '00000000-0000-4000-8000-000000000001'

test('behavior: reasons of before are forgotten, of lists the host is left', async () => {
  const { db, drop } = await createTestDatabase({ migrated: false })
  onTestFinished(drop)
  const earlier = migrations.filter((migration) => migration.id < endpointSecrets.id)
  await migrate(db, silentLog, earlier)
  await db.run(
    `INSERT INTO chain (id, genesis_hash, head_number, finalized_number, failure) VALUES (5, '\\x05', 100, 90, 'k3y'), (6, '\\x06', 1, 1, NULL)`,
  )
  await db.run(
    `INSERT INTO coin_network (name, from_version, failure) VALUES ('mainnet', 0, 'https://node/k3y answered 401')`,
  )
  await db.run(
    `INSERT INTO stream (partition, id, status, webhook_url, webhook_secret, description, tag, chain_ids, definition)
     VALUES (1, $1, 'active', '', '', '', '', '{5}', '{}')`,
    [id],
  )
  await db.run(
    `INSERT INTO stream_chain (partition, stream_id, chain_id, state, from_block, next_block, failure)
     VALUES (1, $1, 5, 'history', 7, 8, 'k3y')`,
    [id],
  )
  await db.run(
    `INSERT INTO collection (partition, chain_id, address, status, reason, spam_reasons)
     VALUES (1, 5, '\\x01', 'failed', 'k3y', $1), (1, 5, '\\x02', 'live', NULL, '{other}')`,
    [
      [
        'on the list https://u:k3y@lists.example:8443/k3y.json?k3y',
        'verified by the list http://b.example?k3y',
        'on the list /etc/list.txt',
        'name-link',
      ],
    ],
  )
  await db.run(`INSERT INTO log_width (chain_id, contract, endpoint, blocks) VALUES (5, '\\x01', '\\x02', 1)`)
  await migrate(db, silentLog, [...earlier, endpointSecrets])
  const gone = 'not kept: what failed tells its reason again'
  expect(await db.rows('SELECT failure FROM chain ORDER BY id')).toEqual([[gone], [null]])
  expect(await db.rows('SELECT failure FROM coin_network UNION ALL SELECT failure FROM stream_chain')).toEqual([
    [gone],
    [gone],
  ])
  expect(await db.rows('SELECT reason, spam_reasons FROM collection ORDER BY address')).toEqual([
    [
      gone,
      ['on the list lists.example:8443', 'verified by the list b.example', 'on the list /etc/list.txt', 'name-link'],
    ],
    [null, ['other']],
  ])
  expect(await db.rows('SELECT * FROM log_width')).toEqual([])
})
