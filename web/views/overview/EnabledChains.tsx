import { get } from '../../api/apiCall.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { Shown } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber } from '../../text/numbers.ts'

/** The chains that requests can use, for keys with access read. */
export function EnabledChains() {
  const chains = usePolled(get('/api/v2/chains', {}))
  return (
    <Card title="Chains" wide>
      <Shown of={chains}>
        {({ result }) => (
          <Table
            caption="Chains"
            rows={result}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Chain', cell: ({ name }) => name },
              { name: 'Id', cell: ({ id }) => <code>{id}</code> },
              { name: 'Status', cell: ({ status }) => <Badge>{status}</Badge> },
              { name: 'Head', number: true, cell: ({ head }) => (head === null ? '–' : formatNumber(head)) },
            ]}
          />
        )}
      </Shown>
    </Card>
  )
}
