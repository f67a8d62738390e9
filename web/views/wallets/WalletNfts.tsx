import { type components, get } from '../../api/apiCall.ts'
import { usePages } from '../../context/usePages.ts'
import { Card } from '../../parts/Card.tsx'
import { Link } from '../../parts/Link.tsx'
import { More } from '../../parts/More.tsx'
import { Preview } from '../../parts/Preview.tsx'
import { tokenPath } from '../../parts/paths.ts'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { nameOrAddress, shorten, visibleName } from '../../text/shorten.ts'
import { Coverage, emptyMessage } from './Coverage.tsx'

type Nft = components['schemas']['Nft']
export type WalletProps = { chain: string; wallet: string; withSpam: boolean }

export function WalletNfts({ chain, wallet, withSpam }: WalletProps) {
  const list = usePages((cursor) =>
    get('/api/v2/{wallet}/nft', {
      path: { wallet },
      query: { chain, limit: 48, exclude_spam: !withSpam, normalizeMetadata: true, media_items: true, cursor },
    }),
  )
  const tokens = list.pages.flatMap(({ result }) => result)
  return (
    <Card title="NFTs">
      <Coverage of={list.first} chain={chain} wallet={wallet} />
      <Shown of={list.first}>
        {() =>
          tokens.length === 0 ? (
            <Empty>{emptyMessage('tokens', list)}</Empty>
          ) : (
            <ul class="plain holdings">
              {tokens.map((nft) => (
                <li key={`${nft.token_address} ${nft.token_id}`}>
                  <Holding nft={nft} chain={chain} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      <More of={list} />
    </Card>
  )
}

function Holding({ nft, chain }: { nft: Nft; chain: string }) {
  const { token_address: address, token_id: id, amount, name, normalized_metadata: document, media } = nft
  return (
    <Link class="holding" to={tokenPath(chain, address, id)}>
      <Preview url={media?.media_collection?.medium?.url} alt="" size={250} />
      <bdi class="clipped">{visibleName(document?.name) ?? `#${shorten(id)}`}</bdi>
      <span class="hint">
        <bdi class="clipped">{nameOrAddress(name, address)}</bdi>
        {amount !== '1' && ` × ${formatNumber(amount)}`}
        {nft.possible_spam && ' (spam)'}
      </span>
    </Link>
  )
}
