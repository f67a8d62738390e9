import { get } from '../../api/apiCall.ts'
import { usePages } from '../../context/usePages.ts'
import { Card } from '../../parts/Card.tsx'
import { More } from '../../parts/More.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { TransferTable } from '../../parts/TransferTable.tsx'

/** Every transfer of the collection, the latest first. */
export function Transfers({ chain, address }: { chain: string; address: string }) {
  const transfers = usePages((cursor) =>
    get('/api/v2/nft/{address}/transfers', { path: { address }, query: { chain, cursor, limit: 50 } }),
  )
  return (
    <Card title="Transfers">
      <Shown of={transfers.first}>
        {() => {
          const rows = transfers.pages.flatMap(({ result }) => result)
          return rows.length === 0 ? (
            <Empty>No known transfers yet.</Empty>
          ) : (
            <>
              <TransferTable chain={chain} rows={rows} tokens />
              <More of={transfers} />
            </>
          )
        }}
      </Shown>
    </Card>
  )
}
