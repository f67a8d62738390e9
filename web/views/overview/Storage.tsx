import type { components } from '../../api/apiCall.ts'
import { Card } from '../../parts/Card.tsx'
import { Empty } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatBytes, formatShare } from '../../text/numbers.ts'

/** Disk usage of the database by kind of data. */
export function Storage({ database }: Pick<components['schemas']['Overview'], 'database'>) {
  return (
    <Card title="Database">
      {database === null ? (
        <Empty>Not available: the sizes took too long to read.</Empty>
      ) : (
        <Table
          caption="The database by kind of data"
          rows={database.kinds}
          keyOf={({ kind }) => kind}
          columns={[
            { name: 'Kind', cell: ({ kind }) => (kind === 'previews' ? 'preview images' : kind) },
            { name: 'Size', number: true, cell: ({ bytes }) => formatBytes(bytes) },
            { name: 'Share', number: true, cell: ({ bytes }) => formatShare(bytes / Math.max(1, database.bytes)) },
          ]}
        />
      )}
    </Card>
  )
}
