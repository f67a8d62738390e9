import { useServices } from '../../context/services.ts'
import { useSend } from '../../context/useSend.ts'
import { AsCurl } from '../../parts/AsCurl.tsx'
import { AddressForm } from '../../parts/addresses/AddressForm.tsx'
import { Dialog } from '../../parts/dialogs/Dialog.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { shorten } from '../../text/shorten.ts'
import { indexCall } from './walletCalls.ts'

/** A form for the wallet to index. */
export function IndexWallet({ close, requested }: { close(): void; requested(): void }) {
  const { toasts } = useServices()
  const { busy, fault, send } = useSend()
  const index = async (chain: string, address: string) => {
    const wallet = await send(indexCall({ chain, address }))
    if (!wallet) return
    toasts.done(`The wallet ${shorten(address)} is ${wallet.status}`)
    requested()
    close()
  }
  return (
    <Dialog title="Index a wallet" busy={busy} close={close}>
      <p>
        The server reads the history of the wallet over all contracts of the chain. A wallet that is already indexed
        does not change.
      </p>
      <AddressForm label="Address of the wallet" action="Index" busy={busy} submit={index}>
        {(chain, address) => <AsCurl calls={[indexCall({ chain, address })]} />}
      </AddressForm>
      <Fault text={fault} />
    </Dialog>
  )
}
