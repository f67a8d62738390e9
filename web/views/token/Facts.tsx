import type { ComponentChildren } from 'preact'
import type { components } from '../../api/apiCall.ts'
import { Ago } from '../../parts/Ago.tsx'
import { WalletLink } from '../../parts/addresses/WalletLink.tsx'
import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { formatNumber, formatShare } from '../../text/numbers.ts'

/** On-chain facts of a token. `documents`: number of ranked tokens. `isNow`: false at an earlier block, which has no ranks. */
export function Facts({
  of: nft,
  chain,
  documents,
  isNow,
}: {
  of: components['schemas']['Nft']
  chain: string
  documents: number
  isNow: boolean
}) {
  const rows: [name: string, value: ComponentChildren][] = [
    [
      'Token id',
      <span key="id">
        <code>{nft.token_id}</code> <Copy text={nft.token_id} what="the token id" />
      </span>,
    ],
    ['Owner', nft.owner_of ? <WalletLink chain={chain} address={nft.owner_of} /> : 'several, see below'],
    ['Amount', formatNumber(nft.amount)],
    ['Minted by', nft.minter_address ? <WalletLink chain={chain} address={nft.minter_address} /> : 'not known'],
    ['Minted in block', formatNumber(nft.block_number_minted)],
    ['Last moved in block', formatNumber(nft.block_number)],
    ['Metadata fetched', nft.last_metadata_sync ? <Ago at={nft.last_metadata_sync} /> : 'not yet'],
  ]
  if (nft.rarity_rank != null)
    rows.push([
      'Rarity',
      `Rank ${formatNumber(nft.rarity_rank)} of ${formatNumber(documents)}${nft.rarity_percentage == null ? '' : `, among the rarest ${formatShare(nft.rarity_percentage / 100)}`}`,
    ])
  else if (isNow && documents === 0 && nft.normalized_metadata?.attributes.length)
    rows.push(['Rarity', 'not ranked yet'])
  return (
    <Card
      title="Token"
      actions={
        <span class="badges">
          {nft.contract_type && <Badge>{nft.contract_type}</Badge>}
          {nft.possible_spam && <Badge kind="warn">spam</Badge>}
          {nft.verified_collection && <Badge kind="good">verified</Badge>}
        </span>
      }
    >
      <dl class="facts">
        {rows.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
      </dl>
    </Card>
  )
}
