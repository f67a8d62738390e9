import { type components, remove } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { useSend } from '../../context/useSend.ts'
import { Confirm } from '../../parts/dialogs/Confirm.tsx'

type Stream = components['schemas']['Stream']

/** Prompts before a stream is deleted, which cannot be undone. */
export function DeleteStream({ stream, close }: { stream: Stream; close(): void }) {
  const { router, toasts } = useServices()
  const sending = useSend()
  const call = remove('/streams/evm/{id}', { path: { id: stream.id } })
  const erase = async () => {
    const here = router.fromHere()
    if (!(await sending.send(call))) return
    toasts.done('The stream is deleted')
    here.go('/streams')
  }
  return (
    <Confirm
      title="Delete the stream?"
      action="Delete"
      kind="danger"
      calls={[call]}
      sending={sending}
      confirm={erase}
      close={close}
    >
      Pending webhooks are dropped. The statistics of the stream stay in the total of all streams.
    </Confirm>
  )
}
