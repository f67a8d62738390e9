import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { createChangeQuery } from '../../nft/pages/createChangeQuery.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import type { NftQuery } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'
import { createReadFeed } from './feed.ts'

test('behavior: the identity of a feed survives a restart of PostgreSQL, but not the removal of its collection', async () => {
  const { db, drop } = await createTestDatabase()
  const address: Address = `0x${'ab'.repeat(20)}`
  const name = { of: 'contract', chainId: 1n, address } as const
  const query = createNftQuery({ db })
  const changes = createChangeQuery({ db })
  const restarted: NftQuery = {
    ...query,
    state: async (...requested) => ({ ...(await query.state(...requested))!, epoch: 'of another start' }),
  }
  await seedCollection(db, { address, tokens: [1n] })
  const before = await createReadFeed({ query, changes })(name)
  const after = await createReadFeed({ query: restarted, changes })(name)
  expect(after!.identity).toBe(before!.identity)
  await db.run('DELETE FROM collection')
  await seedCollection(db, { address, tokens: [1n] })
  expect((await createReadFeed({ query, changes })(name))!.identity).not.toBe(before!.identity)
  await drop()
})
