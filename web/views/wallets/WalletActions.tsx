import { useState } from 'preact/hooks'
import { useServices } from '../../context/services.ts'
import { IndexAgain } from './IndexAgain.tsx'
import { RemoveWallet } from './RemoveWallet.tsx'
import type { IndexedWallet } from './walletCalls.ts'

/** Admin actions for a wallet that is indexed over all contracts. */
export function WalletActions({ wallet, changed }: { wallet: IndexedWallet; changed(): void }) {
  const { router } = useServices()
  const [asked, setAsked] = useState<'index' | 'remove' | null>(null)
  const close = () => setAsked(null)
  return (
    <div class="actions">
      <button type="button" onClick={() => setAsked('index')}>
        Index again
      </button>
      <button type="button" class="danger" onClick={() => setAsked('remove')}>
        Remove
      </button>
      {asked === 'index' && <IndexAgain wallet={wallet} close={close} done={changed} />}
      {asked === 'remove' && <RemoveWallet wallet={wallet} close={close} done={() => router.go('/wallets')} />}
    </div>
  )
}
