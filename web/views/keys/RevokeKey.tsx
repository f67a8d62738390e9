import { type components, remove } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { useSend } from '../../context/useSend.ts'
import { AsCurl } from '../../parts/AsCurl.tsx'
import { Dialog } from '../../parts/Dialog.tsx'

type ApiKey = components['schemas']['ApiKey']

/** Asks before a key is revoked, which cannot be undone. */
export function RevokeKey({ apiKey, close, revoked }: { apiKey: ApiKey; close(): void; revoked(): void }) {
  const { toasts } = useServices()
  const { busy, fault, send } = useSend()
  const call = remove('/admin/keys/{id}', { path: { id: apiKey.id } })
  const revoke = async () => {
    if (!(await send(call))) return
    toasts.done(`${apiKey.name} is revoked`)
    revoked()
    close()
  }
  return (
    <Dialog title={`Revoke ${apiKey.name}?`} close={close}>
      <p>Every server refuses the key within a second, for good.</p>
      {fault && (
        <p class="failed" role="alert">
          {fault}
        </p>
      )}
      <div class="actions">
        <button type="button" class="danger" disabled={busy} onClick={revoke}>
          Revoke
        </button>
        <button type="button" onClick={close}>
          Keep it
        </button>
      </div>
      <AsCurl calls={[call]} />
    </Dialog>
  )
}
