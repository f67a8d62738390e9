import { useServices } from '../../context/services.ts'
import { useSend } from '../../context/useSend.ts'
import { Confirm } from '../../parts/dialogs/Confirm.tsx'
import { shorten } from '../../text/shorten.ts'
import { removeCall, type WalletDialogProps } from './walletCalls.ts'

/** Prompts before a wallet is removed with all of its data. */
export function RemoveWallet({ wallet: { chain, address }, close, done }: WalletDialogProps) {
  const { toasts } = useServices()
  const sending = useSend()
  const call = removeCall({ chain, address })
  const confirm = async () => {
    if (!(await sending.send(call))) return
    toasts.done(`The wallet ${shorten(address)} is removed`)
    close()
    done()
  }
  return (
    <Confirm
      title="Remove the wallet?"
      action="Remove"
      kind="danger"
      calls={[call]}
      sending={sending}
      confirm={confirm}
      close={close}
    >
      All data of {shorten(address)} on <bdi>{chain}</bdi> is removed. The next request for the wallet indexes it again.
    </Confirm>
  )
}
