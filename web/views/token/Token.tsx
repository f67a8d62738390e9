import { get } from '../../api/apiCall.ts'
import { usePolled } from '../../context/usePolled.ts'
import type { ViewProps } from '../../context/view.ts'
import { Card } from '../../parts/Card.tsx'
import { Link } from '../../parts/Link.tsx'
import { Page } from '../../parts/Page.tsx'
import { Preview, previewMessage } from '../../parts/Preview.tsx'
import { collectionPath, tokenPath } from '../../parts/paths.ts'
import { Shown } from '../../parts/Shown.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { nameOrAddress, shorten, visibleName } from '../../text/shorten.ts'
import { Attributes } from './Attributes.tsx'
import { Facts } from './Facts.tsx'
import { MetadataHistory } from './MetadataHistory.tsx'
import { Player } from './Player.tsx'
import { ReadTokenAgain } from './ReadTokenAgain.tsx'
import { Record } from './Record.tsx'
import { TokenOwners } from './TokenOwners.tsx'
import { TokenTransfers } from './TokenTransfers.tsx'
import './token.css'
import type { TokenOf } from './tokenOf.ts'

/** One token: its image, its current and earlier metadata, its owners and transfers. */
export function Token({ params, query }: ViewProps) {
  const { chain, address, token } = params as { chain: string; address: string; token: string }
  const block = /^\d{1,10}$/.test(query.get('block') ?? '') ? query.get('block')! : undefined
  const of: TokenOf = { chain, address, token, block }
  const record = usePolled(
    get('/api/v2/nft/{address}/{token_id}', {
      path: { address, token_id: token },
      query: {
        chain,
        normalizeMetadata: true,
        media_items: true,
        // Rarity ranks and media details exist only for the current state.
        ...(block === undefined ? { include: ['rarity', 'media_details'] as const } : { as_of_block: block }),
      },
    }),
    { everyMs: 3_000 },
  )
  const { data } = record
  const number = `#${shorten(token, { head: 12, tail: 6 })}`
  const documents = Number(record.headers?.get('x-rarity-documents') ?? 0)
  return (
    <Page
      title={<bdi>{visibleName(data?.normalized_metadata?.name) ?? number}</bdi>}
      lead={
        <>
          <Link to={collectionPath(chain, address)}>
            <bdi>{nameOrAddress(data?.name, address)}</bdi>
          </Link>{' '}
          · {chain} · {number}
          {block !== undefined && ` · at the end of block ${formatNumber(block)}`}
        </>
      }
      actions={<ReadTokenAgain {...of} done={record.again} />}
    >
      {block !== undefined && (
        <p>
          Owner and amount are as of the end of block {formatNumber(block)}. Image, attributes and metadata are current.{' '}
          <Link to={tokenPath(chain, address, token)}>Current state</Link>
        </p>
      )}
      <Shown of={record}>
        {(nft) => (
          <div class="token">
            <Card title="Image">
              <Player of={nft.media} token={of}>
                <Preview url={nft.media?.media_collection?.high.url} alt={`Image of ${number}`} size={500} />
                {nft.media?.status !== 'success' && <p class="hint">{previewMessage(nft)}</p>}
              </Player>
              <Description text={nft.normalized_metadata?.description ?? null} />
            </Card>
            <Facts of={nft} chain={chain} documents={documents} isNow={block === undefined} />
            <Attributes of={nft.normalized_metadata?.attributes ?? []} documents={documents} />
            <Record of={nft} />
          </div>
        )}
      </Shown>
      <TokenOwners {...of} />
      <TokenTransfers {...of} />
      <MetadataHistory {...of} />
    </Page>
  )
}

function Description({ text }: { text: string | null }) {
  if (!text) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="description" aria-label="Description" tabIndex={0}>
      <bdi>{text}</bdi>
    </section>
  )
}
