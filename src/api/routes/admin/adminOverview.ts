import type { AdminRoutesOptions } from '../../admin/admin.ts'
import { overviewSchema } from '../../admin/overview.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { defineRoute, type Route } from '../../http/route.ts'

export function adminOverviewRoutes(options: AdminRoutesOptions): Route[] {
  return [
    defineRoute({
      tag: 'Admin',
      access: 'admin',
      method: 'GET',
      path: '/admin/overview',
      operationId: 'getOverview',
      summary: 'Server overview',
      description:
        'Version, uptime, every process of every role, the size of the database by kind of data, the disk, pending work, and the work done in each minute of the last hour. Read at most once a second; a part that the database does not return in time is null.',
      ok: { description: 'The overview.', schema: overviewSchema },
      handle: async () => jsonAnswer(200, await options.admin.overview()),
    }),
  ]
}
