import { useState } from 'preact/hooks'
import { useServices } from '../../context/services.ts'
import type { ViewProps } from '../../context/view.ts'
import { OpenWallet } from '../../parts/addresses/OpenAddress.tsx'
import { Page } from '../../parts/Page.tsx'
import { IndexWallet } from './IndexWallet.tsx'
import { useWallets, WalletList } from './WalletList.tsx'

/** A form to open a wallet. Admin keys also see the indexed wallets and can index others. */
export function Wallets({ query }: ViewProps) {
  const { access } = useServices()
  const isAdmin = access.value === 'admin'
  const list = useWallets(isAdmin ? query : null)
  const [isIndexing, setIndexing] = useState(false)
  return (
    <Page
      title="Wallets"
      lead="Tokens and transfers of an address, over all contracts of a chain or over its indexed collections."
      actions={
        isAdmin && (
          <button type="button" class="main" onClick={() => setIndexing(true)}>
            Index wallet
          </button>
        )
      }
    >
      <OpenWallet />
      {isAdmin && <WalletList of={list} query={query} />}
      {isIndexing && <IndexWallet close={() => setIndexing(false)} requested={list.again} />}
    </Page>
  )
}
