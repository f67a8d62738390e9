import type { AdminKeys } from '../../api/admin/keys.ts'
import type { Sql } from '../../db/database.ts'
import { createKey, readKeyPage, revokeKey } from '../../db/keys.ts'

export function createAdminKeys({ db }: { db: Sql }): AdminKeys {
  return {
    async list(options) {
      const { keys, total, hasMore } = await readKeyPage(db, options)
      return { items: keys, total, next: hasMore ? String(keys.at(-1)!.id) : null }
    },
    create: (options) => createKey(db, options),
    revoke: (id) => revokeKey(db, id),
  }
}
