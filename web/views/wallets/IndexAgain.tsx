import { useRef } from 'preact/hooks'
import { useServices } from '../../context/services.ts'
import { useSend } from '../../context/useSend.ts'
import { Confirm } from '../../parts/dialogs/Confirm.tsx'
import { shorten } from '../../text/shorten.ts'
import { indexCall, removeCall, type WalletDialogProps } from './walletCalls.ts'

/** Prompts before a wallet is removed and indexed from its first block. Without removal, a request changes nothing. */
export function IndexAgain({ wallet: { chain, address }, close, done }: WalletDialogProps) {
  const { toasts } = useServices()
  const sending = useSend()
  const isRemoved = useRef(false)
  const [removal, request] = [removeCall({ chain, address }), indexCall({ chain, address })]
  const confirm = async () => {
    // If only the second request failed, the wallet is already removed.
    isRemoved.current ||= (await sending.send(removal)) !== undefined
    if (!isRemoved.current || !(await sending.send(request))) return
    toasts.done(`The wallet ${shorten(address)} is indexed again`)
    close()
    done()
  }
  return (
    <Confirm
      title="Index the wallet again?"
      action="Index again"
      kind="danger"
      calls={[removal, request]}
      sending={sending}
      confirm={confirm}
      close={close}
    >
      The server removes all data of {shorten(address)} on <bdi>{chain}</bdi> and reads its history again from the first
      block. Until then, responses for the wallet are incomplete.
    </Confirm>
  )
}
