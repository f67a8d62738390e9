import { OpenWallet } from '../../parts/OpenAddress.tsx'
import { Page } from '../../parts/Page.tsx'

/** Asks which wallet to look at. */
export function Wallets() {
  return (
    <Page title="Wallets" lead="What an address holds and moved, over all collections that are indexed on a chain.">
      <OpenWallet />
    </Page>
  )
}
