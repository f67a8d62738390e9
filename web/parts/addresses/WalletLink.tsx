import { shorten } from '../../text/shorten.ts'
import { Copy } from '../Copy.tsx'
import { Link } from '../Link.tsx'
import { walletPath } from '../paths.ts'

/** The address of somebody who holds or moved something, shortened: a link to what they hold, and a button that copies all of it. */
export function WalletLink({ chain, address }: { chain: string; address: string }) {
  if (/^0x0{40}$/.test(address)) return <span title={address}>nobody</span>
  return (
    <span class="short">
      <Link to={walletPath(chain, address)}>
        <code title={address}>{shorten(address)}</code>
      </Link>
      <Copy text={address} what={`the address ${shorten(address)}`} />
    </span>
  )
}
