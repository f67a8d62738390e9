import { useServices } from '../../context/services.ts'
import type { ViewProps } from '../../context/view.ts'
import { Copy } from '../../parts/Copy.tsx'
import { Link } from '../../parts/Link.tsx'
import { Page } from '../../parts/Page.tsx'
import { walletPath } from '../../parts/paths.ts'
import { WalletCollections } from './WalletCollections.tsx'
import { WalletNfts } from './WalletNfts.tsx'
import { WalletTransfers } from './WalletTransfers.tsx'
import './wallets.css'

const parts = [
  ['nfts', 'NFTs'],
  ['collections', 'Collections'],
  ['transfers', 'Transfers'],
] as const

/** Tokens and transfers of one address on a chain. */
export function OneWallet({ params, query }: ViewProps) {
  const { router } = useServices()
  const [chain, wallet] = [params.chain!, params.address!]
  const requested = query.get('show')
  const show = parts.find(([part]) => part === requested)?.[0] ?? 'nfts'
  const withSpam = query.get('spam') === 'yes'
  const place = { chain, wallet, withSpam }
  return (
    <Page
      title="Wallet"
      lead={
        <span class="wallet">
          <code>{wallet}</code>
          <Copy text={wallet} what="the address" /> on <bdi>{chain}</bdi>
        </span>
      }
    >
      <nav class="actions" aria-label="Parts of the wallet">
        {parts.map(([part, name]) => (
          <Link
            key={part}
            class="button"
            to={`${walletPath(chain, wallet)}?show=${part}${withSpam ? '&spam=yes' : ''}`}
            {...(part === show && { 'aria-current': 'page' })}
          >
            {name}
          </Link>
        ))}
        {show !== 'transfers' && (
          <label class="check">
            <input
              type="checkbox"
              checked={withSpam}
              onChange={({ currentTarget }) => router.setQuery({ spam: currentTarget.checked ? 'yes' : null })}
            />
            Include spam
          </label>
        )}
      </nav>
      {show === 'nfts' && <WalletNfts {...place} />}
      {show === 'collections' && <WalletCollections {...place} />}
      {show === 'transfers' && <WalletTransfers {...place} />}
    </Page>
  )
}
