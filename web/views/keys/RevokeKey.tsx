import { type components, remove } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { useSend } from '../../context/useSend.ts'
import { Confirm } from '../../parts/dialogs/Confirm.tsx'
import { isolated } from '../../text/isolated.ts'

type ApiKey = components['schemas']['ApiKey']

/** Prompts before a key is revoked, which cannot be undone. */
export function RevokeKey({ apiKey, close, revoked }: { apiKey: ApiKey; close(): void; revoked(): void }) {
  const { toasts } = useServices()
  const sending = useSend()
  const call = remove('/admin/keys/{id}', { path: { id: apiKey.id } })
  const revoke = async () => {
    if (!(await sending.send(call))) return
    toasts.done(`${isolated(apiKey.name)} is revoked`)
    revoked()
    close()
  }
  return (
    <Confirm
      title={
        <>
          Revoke <bdi>{apiKey.name}</bdi>?
        </>
      }
      action="Revoke"
      kind="danger"
      calls={[call]}
      sending={sending}
      confirm={revoke}
      close={close}
    >
      Every process rejects the key within a second. You cannot undo this.
    </Confirm>
  )
}
