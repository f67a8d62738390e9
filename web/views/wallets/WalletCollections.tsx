import { get } from '../../api/apiCall.ts'
import { usePages } from '../../context/usePages.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { Link } from '../../parts/Link.tsx'
import { More } from '../../parts/More.tsx'
import { collectionPath } from '../../parts/paths.ts'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { nameOrAddress } from '../../text/shorten.ts'
import { Coverage, emptyMessage } from './Coverage.tsx'
import type { WalletProps } from './WalletNfts.tsx'

/** The collections of a wallet, with its number of tokens in each. */
export function WalletCollections({ chain, wallet, withSpam }: WalletProps) {
  const list = usePages((cursor) =>
    get('/api/v2/{wallet}/nft/collections', {
      path: { wallet },
      query: { chain, limit: 100, exclude_spam: !withSpam, token_counts: true, cursor },
    }),
  )
  const rows = list.pages.flatMap(({ result }) => result)
  return (
    <Card title="Collections">
      <Coverage of={list.first} chain={chain} wallet={wallet} />
      <Shown of={list.first}>
        {() =>
          rows.length === 0 ? (
            <Empty>{emptyMessage('tokens', list)}</Empty>
          ) : (
            <Table
              caption="Collections of the wallet"
              rows={rows}
              keyOf={(row) => row.token_address}
              columns={[
                {
                  name: 'Collection',
                  cell: (row) => (
                    <Link to={collectionPath(chain, row.token_address)}>
                      <bdi class="clipped">{nameOrAddress(row.name, row.token_address)}</bdi>
                    </Link>
                  ),
                },
                { name: 'Symbol', cell: (row) => <bdi class="clipped">{row.symbol ?? '–'}</bdi> },
                { name: 'Standard', cell: (row) => row.contract_type ?? '–' },
                {
                  name: 'Flags',
                  cell: (row) => (
                    <>
                      {row.verified_collection && <Badge kind="good">verified</Badge>}{' '}
                      {row.possible_spam && <Badge kind="warn">spam</Badge>}
                    </>
                  ),
                },
                {
                  name: 'Tokens',
                  number: true,
                  cell: (row) => (row.count === undefined ? '–' : formatNumber(row.count)),
                },
              ]}
            />
          )
        }
      </Shown>
      <More of={list} />
    </Card>
  )
}
