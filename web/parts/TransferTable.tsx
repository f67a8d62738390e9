import type { components } from '../api/apiCall.ts'
import { formatNumber } from '../text/numbers.ts'
import { shorten } from '../text/shorten.ts'
import { Ago } from './Ago.tsx'
import { Short } from './addresses/Short.tsx'
import { WalletLink } from './addresses/WalletLink.tsx'
import { Link } from './Link.tsx'
import { tokenPath } from './paths.ts'
import { type Column, Table } from './Table.tsx'

type Transfer = components['schemas']['NftTransfer']

/** Transfers of NFTs. `tokens`: shows the token of each. */
export function TransferTable({ chain, rows, tokens }: { chain: string; rows: readonly Transfer[]; tokens?: boolean }) {
  const token: Column<Transfer> = {
    name: 'Token',
    cell: ({ token_address, token_id }) => (
      <Link to={tokenPath(chain, token_address, token_id)}>#{shorten(token_id, { head: 8, tail: 4 })}</Link>
    ),
  }
  const block: Column<Transfer> = { name: 'Block', cell: ({ block_number }) => formatNumber(block_number) }
  return (
    <Table
      caption="Transfers"
      rows={rows}
      keyOf={({ block_number, log_index, token_address, token_id }) =>
        `${block_number} ${log_index} ${token_address} ${token_id}`
      }
      columns={[
        ...(tokens ? [token, block] : [block]),
        { name: 'Time', cell: ({ block_timestamp }) => <Ago at={block_timestamp} /> },
        { name: 'From', cell: ({ from_address }) => <WalletLink chain={chain} address={from_address} /> },
        { name: 'To', cell: ({ to_address }) => <WalletLink chain={chain} address={to_address} /> },
        { name: 'Amount', number: true, cell: ({ amount }) => formatNumber(amount) },
        {
          name: 'Transaction',
          cell: ({ transaction_hash }) => <Short text={transaction_hash} what="the hash of the transaction" />,
        },
      ]}
    />
  )
}
