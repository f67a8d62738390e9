import { shorten } from '../../text/shorten.ts'
import { Copy } from '../Copy.tsx'
import { Link } from '../Link.tsx'
import { walletPath } from '../paths.ts'

/** The shortened address of a wallet: a link to its page, and a button that copies the address. */
export function WalletLink({ chain, address }: { chain: string; address: string }) {
  if (/^0x0{40}$/.test(address)) return <span title={address}>zero address</span>
  return (
    <span class="short">
      <Link to={walletPath(chain, address)}>
        <code title={address}>{shorten(address)}</code>
      </Link>
      <Copy text={address} what={`the address ${shorten(address)}`} />
    </span>
  )
}
