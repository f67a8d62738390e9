import { get } from '../../api/apiCall.ts'
import { usePages } from '../../context/usePages.ts'
import { WalletLink } from '../../parts/addresses/WalletLink.tsx'
import { Card } from '../../parts/Card.tsx'
import { More } from '../../parts/More.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber } from '../../text/numbers.ts'
import type { TokenOf } from './tokenOf.ts'

/** The holders of the token, with their amounts. */
export function TokenOwners({ chain, address, token, block }: TokenOf) {
  const owners = usePages((cursor) =>
    get('/api/v2/nft/{address}/{token_id}/owners', {
      path: { address, token_id: token },
      query: { chain, cursor, limit: 25, as_of_block: block },
    }),
  )
  return (
    <Card title="Owners">
      <Shown of={owners.first}>
        {() => {
          const rows = owners.pages.flatMap(({ result }) => result)
          if (rows.length === 0) return <Empty>No holders.</Empty>
          return (
            <>
              <Table
                caption="Owners"
                rows={rows}
                keyOf={({ owner_of }) => owner_of}
                columns={[
                  { name: 'Owner', cell: ({ owner_of }) => <WalletLink chain={chain} address={owner_of} /> },
                  { name: 'Amount', number: true, cell: ({ amount }) => formatNumber(amount) },
                ]}
              />
              <More of={owners} />
            </>
          )
        }}
      </Shown>
    </Card>
  )
}
