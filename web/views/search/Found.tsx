import type { ComponentChildren } from 'preact'
import type { components } from '../../api/apiCall.ts'
import { Short } from '../../parts/addresses/Short.tsx'
import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { CollectionBadge } from '../../parts/CollectionBadge.tsx'
import { Link } from '../../parts/Link.tsx'
import { collectionPath, streamPath, tokenPath } from '../../parts/paths.ts'
import { type Column, Table } from '../../parts/Table.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { nameOrAddress, shorten, visibleName } from '../../text/shorten.ts'

type Schemas = components['schemas']

/** Search results by kind. */
export function Found({
  result: { collections, tokens, coins, streams },
}: {
  /** Without streams if the key may not see them. */
  result: Schemas['FoundRecords'] & Partial<Schemas['SearchResult']>
}) {
  return (
    <>
      <Kind
        title="Collections"
        of={collections}
        keyOf={({ chainId, address }) => `${chainId} ${address}`}
        columns={[
          {
            name: 'Collection',
            cell: ({ chain, address, name }) => (
              <Link to={collectionPath(chain, address)}>
                <bdi class="clipped">{nameOrAddress(name, address)}</bdi>
              </Link>
            ),
          },
          { name: 'Chain', cell: ({ chain }) => chain },
          { name: 'Address', cell: ({ address }) => <Short text={address} what="the address" /> },
          { name: 'Status', cell: (collection) => <CollectionBadge of={collection} /> },
          { name: 'Tokens', number: true, cell: ({ tokens: count }) => formatNumber(count) },
        ]}
      />
      <Kind
        title="Tokens"
        of={tokens}
        keyOf={({ chainId, address, tokenId }) => `${chainId} ${address} ${tokenId}`}
        columns={[
          {
            name: 'Token',
            cell: ({ chain, address, tokenId }) => (
              <Link to={tokenPath(chain, address, tokenId)}>#{shorten(tokenId, { head: 10, tail: 6 })}</Link>
            ),
          },
          { name: 'Collection', cell: ({ collectionName }) => <bdi class="clipped">{collectionName ?? '–'}</bdi> },
          { name: 'Chain', cell: ({ chain }) => chain },
          { name: 'Address', cell: ({ address }) => <Short text={address} what="the address" /> },
        ]}
      />
      <Kind
        title="Coins"
        of={coins}
        keyOf={({ network, coinTypeHash }) => `${network} ${coinTypeHash}`}
        columns={[
          {
            name: 'Coin',
            cell: ({ network, coinTypeHash, symbol }) => (
              <Link to={`/coins?${new URLSearchParams({ network, q: coinTypeHash })}`}>
                <bdi class="clipped">{visibleName(symbol) ?? 'no symbol'}</bdi>
              </Link>
            ),
          },
          { name: 'Name', cell: ({ name }) => <bdi class="clipped">{name}</bdi> },
          { name: 'Standard', cell: ({ standard }) => standard },
          { name: 'Network', cell: ({ network }) => network },
          { name: 'Type', cell: ({ coinType }) => <Short text={coinType} what="the type" head={20} tail={12} /> },
          { name: 'Hash', cell: ({ coinTypeHash }) => <Short text={coinTypeHash} what="the hash" /> },
        ]}
      />
      {streams && (
        <Kind
          title="Streams"
          of={streams}
          keyOf={({ id }) => id}
          columns={[
            { name: 'Stream', cell: ({ id }) => <Link to={streamPath(id)}>{shorten(id, { head: 8 })}</Link> },
            { name: 'Tag', cell: ({ tag }) => <bdi class="clipped">{tag}</bdi> },
            { name: 'Description', cell: ({ description }) => <bdi class="clipped">{description}</bdi> },
            { name: 'Status', cell: ({ status }) => <Badge>{status}</Badge> },
            { name: 'Chains', cell: ({ chains }) => chains.join(', ') },
          ]}
        />
      )}
    </>
  )
}

function Kind<T>({
  title,
  of: { result, more, cutShort },
  columns,
  keyOf,
}: {
  title: string
  of: { result: readonly T[]; more: boolean; cutShort: boolean }
  columns: readonly Column<T>[]
  keyOf(row: T): string
}): ComponentChildren {
  if (result.length === 0 && !cutShort) return null
  return (
    <Card title={title}>
      {result.length > 0 && <Table caption={title} rows={result} keyOf={keyOf} columns={columns} />}
      {(more || cutShort) && <p class="hint">More results may exist: enter a longer search term.</p>}
    </Card>
  )
}
