import { type components, remove } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { useSend } from '../../context/useSend.ts'
import { AsCurl } from '../../parts/AsCurl.tsx'
import { Dialog } from '../../parts/Dialog.tsx'

type Stream = components['schemas']['Stream']

/** Asks before a stream is deleted, which cannot be undone. */
export function DeleteStream({ stream, close }: { stream: Stream; close(): void }) {
  const { router, toasts } = useServices()
  const { busy, fault, send } = useSend()
  const call = remove('/streams/evm/{id}', { path: { id: stream.id } })
  const erase = async () => {
    if (!(await send(call))) return
    toasts.done('The stream is deleted')
    router.go('/streams')
  }
  return (
    <Dialog title="Delete the stream?" close={close}>
      <p>Its webhooks that are still to be sent go with it. Its figures stay in the sum of all streams.</p>
      {fault && (
        <p class="failed" role="alert">
          <bdi>{fault}</bdi>
        </p>
      )}
      <div class="actions">
        <button type="button" class="danger" disabled={busy} onClick={erase}>
          Delete
        </button>
        <button type="button" onClick={close}>
          Keep it
        </button>
      </div>
      <AsCurl calls={[call]} />
    </Dialog>
  )
}
