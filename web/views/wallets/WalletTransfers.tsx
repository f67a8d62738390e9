import { type components, get } from '../../api/apiCall.ts'
import { usePages } from '../../context/usePages.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Short } from '../../parts/addresses/Short.tsx'
import { WalletLink } from '../../parts/addresses/WalletLink.tsx'
import { Card } from '../../parts/Card.tsx'
import { Link } from '../../parts/Link.tsx'
import { More } from '../../parts/More.tsx'
import { collectionPath, tokenPath } from '../../parts/paths.ts'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { shorten } from '../../text/shorten.ts'
import { Coverage, emptyMessage } from './Coverage.tsx'
import type { WalletProps } from './WalletNfts.tsx'

type Transfer = components['schemas']['NftTransfer']

/** Incoming and outgoing transfers of a wallet, the latest first. */
export function WalletTransfers({ chain, wallet }: WalletProps) {
  const list = usePages((cursor) =>
    get('/api/v2/{wallet}/nft/transfers', { path: { wallet }, query: { chain, limit: 50, cursor } }),
  )
  const rows = list.pages.flatMap(({ result }) => result)
  return (
    <Card title="Transfers">
      <Coverage of={list.first} chain={chain} wallet={wallet} />
      <Shown of={list.first}>
        {() =>
          rows.length === 0 ? (
            <Empty>{emptyMessage('transfers', list)}</Empty>
          ) : (
            <Table caption="Transfers of the wallet" rows={rows} keyOf={keyOf} columns={columnsOf(chain, wallet)} />
          )
        }
      </Shown>
      <More of={list} />
    </Card>
  )
}

/** One ERC-1155 log can move several tokens. */
const keyOf = (row: Transfer) => `${row.transaction_hash} ${row.log_index} ${row.token_id}`

function columnsOf(chain: string, wallet: string) {
  return [
    {
      name: 'Time',
      cell: (row: Transfer) => (
        <span title={`block ${row.block_number}`}>
          <Ago at={row.block_timestamp} />
        </span>
      ),
    },
    {
      name: 'Direction',
      cell: (row: Transfer) =>
        row.from_address === row.to_address ? 'self' : row.from_address === wallet.toLowerCase() ? 'out' : 'in',
    },
    {
      name: 'Token',
      cell: (row: Transfer) => (
        <Link to={tokenPath(chain, row.token_address, row.token_id)}>#{shorten(row.token_id)}</Link>
      ),
    },
    {
      name: 'Collection',
      cell: (row: Transfer) => (
        <Link to={collectionPath(chain, row.token_address)}>
          <code>{shorten(row.token_address)}</code>
        </Link>
      ),
    },
    { name: 'Amount', number: true as const, cell: (row: Transfer) => formatNumber(row.amount) },
    { name: 'From', cell: (row: Transfer) => <WalletLink chain={chain} address={row.from_address} /> },
    { name: 'To', cell: (row: Transfer) => <WalletLink chain={chain} address={row.to_address} /> },
    { name: 'Block', number: true as const, cell: (row: Transfer) => formatNumber(row.block_number) },
    {
      name: 'Transaction',
      cell: (row: Transfer) => <Short text={row.transaction_hash} what="the hash of the transaction" />,
    },
  ]
}
