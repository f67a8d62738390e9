import type { components } from '../../api/apiCall.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Card } from '../../parts/Card.tsx'
import { Table } from '../../parts/Table.tsx'

type Process = components['schemas']['ServingProcess']

/** Every process of every role on this database. */
export function Processes({ processes }: { processes: readonly Process[] }) {
  return (
    <Card title="Processes">
      <Table
        caption="Processes"
        rows={processes}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Host, process id',
            cell: ({ host, pid, answering }) => `${host} ${pid}${answering ? ' (this page)' : ''}`,
          },
          { name: 'Role', cell: ({ role }) => role },
          { name: 'Started', number: true, cell: ({ startedAt }) => <Ago at={startedAt} /> },
          { name: 'Heartbeat', number: true, cell: ({ heartbeatAt }) => <Ago at={heartbeatAt} /> },
        ]}
      />
    </Card>
  )
}
