import { useState } from 'preact/hooks'
import { useServices } from '../../context/services.ts'
import { IndexAgain } from './IndexAgain.tsx'
import { RemoveWallet } from './RemoveWallet.tsx'
import type { IndexedWallet } from './walletCalls.ts'

/** Admin actions for a wallet that is indexed over all contracts. */
export function WalletActions({ wallet, changed }: { wallet: IndexedWallet; changed(): void }) {
  const here = useServices().router.fromHere()
  const [requested, setRequested] = useState<'index' | 'remove' | null>(null)
  const close = () => setRequested(null)
  return (
    <div class="actions">
      <button type="button" onClick={() => setRequested('index')}>
        Index again
      </button>
      <button type="button" class="danger" onClick={() => setRequested('remove')}>
        Remove
      </button>
      {requested === 'index' && <IndexAgain wallet={wallet} close={close} done={changed} />}
      {requested === 'remove' && <RemoveWallet wallet={wallet} close={close} done={() => here.go('/wallets')} />}
    </div>
  )
}
