import { useState } from 'preact/hooks'
import { faultOf } from '../api/apiFault.ts'
import { useServices } from '../context/services.ts'
import { Button } from '../parts/Button.tsx'
import { Dialog } from '../parts/dialogs/Dialog.tsx'
import { Fault } from '../parts/Fault.tsx'

/** Prompts before a link that was opened in a signed-in tab replaces the session. */
export function LinkedSignIn() {
  const { session, linkedCode } = useServices()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const code = linkedCode.value
  if (code === null) return null
  const close = () => {
    linkedCode.value = null
    setFault(null)
  }
  const signIn = async () => {
    setBusy(true)
    try {
      await session.redeem(code)
      close()
    } catch (error) {
      setFault(faultOf(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title="Sign in again?" busy={busy} close={close}>
      <p>The link signs in with the key of the server's configuration. Your session in this tab ends.</p>
      <Fault text={fault} />
      <div class="actions">
        <Button type="button" class="main" off={busy} onClick={() => void signIn()}>
          Sign in
        </Button>
        <Button type="button" off={busy} onClick={close}>
          Stay signed in
        </Button>
      </div>
    </Dialog>
  )
}
