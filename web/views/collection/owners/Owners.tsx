import { get } from '../../../api/apiCall.ts'
import { usePages } from '../../../context/usePages.ts'
import { WalletLink } from '../../../parts/addresses/WalletLink.tsx'
import { Card } from '../../../parts/Card.tsx'
import { Link } from '../../../parts/Link.tsx'
import { More } from '../../../parts/More.tsx'
import { tokenPath } from '../../../parts/paths.ts'
import { Empty, Shown } from '../../../parts/Shown.tsx'
import { Table } from '../../../parts/Table.tsx'
import { formatNumber } from '../../../text/numbers.ts'
import { shorten } from '../../../text/shorten.ts'
import type { IndexProgress } from '../readProgress.ts'
import { HolderCounts } from './HolderCounts.tsx'

/** Maximum number of tokens for counting holders without a click. */
const mostAtOnce = 20_000

/** Holders and their tokens: now, or at the end of a block. */
export function Owners({
  chain,
  address,
  block,
  progress,
  total,
}: {
  chain: string
  address: string
  block: string | undefined
  progress: IndexProgress
  total: number | null
}) {
  const owners = usePages((cursor) =>
    get('/api/v2/nft/{address}/owners', {
      path: { address },
      query: { chain, limit: 50, cursor, as_of_block: block },
    }),
  )
  return (
    <>
      <HolderCounts
        key={block}
        chain={chain}
        address={address}
        block={block ?? (progress.toBlock === null ? undefined : String(progress.toBlock))}
        atOnce={total !== null && total <= mostAtOnce && progress.status === 'synced'}
      />
      <Card title="Owners of each token">
        <Shown of={owners.first}>
          {() => {
            const rows = owners.pages.flatMap(({ result }) => result)
            if (rows.length === 0)
              return (
                <Empty>
                  {progress.status === 'synced' || block !== undefined
                    ? 'No holders.'
                    : 'No known owners yet: the history is being read.'}
                </Empty>
              )
            return (
              <>
                <Table
                  caption="Owners of each token"
                  rows={rows}
                  keyOf={({ token_id, owner_of }) => `${token_id} ${owner_of}`}
                  columns={[
                    {
                      name: 'Token',
                      cell: ({ token_id }) => (
                        <Link to={tokenPath(chain, address, token_id)}>#{shorten(token_id, { head: 8, tail: 4 })}</Link>
                      ),
                    },
                    { name: 'Owner', cell: ({ owner_of }) => <WalletLink chain={chain} address={owner_of} /> },
                    { name: 'Amount', number: true, cell: ({ amount }) => formatNumber(amount) },
                    {
                      name: 'Last moved in block',
                      number: true,
                      cell: ({ block_number }) => formatNumber(block_number),
                    },
                  ]}
                />
                <More of={owners} />
              </>
            )
          }}
        </Shown>
      </Card>
    </>
  )
}
