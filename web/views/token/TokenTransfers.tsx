import { get } from '../../api/apiCall.ts'
import { usePages } from '../../context/usePages.ts'
import { Card } from '../../parts/Card.tsx'
import { More } from '../../parts/More.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { TransferTable } from '../../parts/TransferTable.tsx'
import type { TokenOf } from './tokenOf.ts'

/** Transfers of the token, the latest first, up to the chosen block. */
export function TokenTransfers({ chain, address, token, block }: TokenOf) {
  const transfers = usePages((cursor) =>
    get('/api/v2/nft/{address}/{token_id}/transfers', {
      path: { address, token_id: token },
      query: { chain, cursor, limit: 25, to_block: block === undefined ? undefined : Number(block) },
    }),
  )
  return (
    <Card title="Transfers">
      <Shown of={transfers.first}>
        {() => {
          const rows = transfers.pages.flatMap(({ result }) => result)
          if (rows.length === 0) return <Empty>No known transfers.</Empty>
          return (
            <>
              <TransferTable chain={chain} rows={rows} />
              <More of={transfers} />
            </>
          )
        }}
      </Shown>
    </Card>
  )
}
