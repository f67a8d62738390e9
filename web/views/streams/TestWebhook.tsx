import { useState } from 'preact/hooks'
import { type components, post } from '../../api/apiCall.ts'
import { useSend } from '../../context/useSend.ts'
import { AsCurl } from '../../parts/AsCurl.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/dialogs/Dialog.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { Loading } from '../../parts/Shown.tsx'
import { Answer } from './Answer.tsx'

type Stream = components['schemas']['Stream']
type Sent = components['schemas']['SentTestWebhook']

/** Sends the test webhook and shows the receiver's response. */
export function TestWebhook({ stream }: { stream: Stream }) {
  const { busy, fault, send } = useSend()
  const [isOpen, setOpen] = useState(false)
  const [sent, setSent] = useState<Sent | null>(null)
  const call = post('/admin/streams/{id}/test', { path: { id: stream.id } }, undefined)
  const test = async () => {
    setOpen(true)
    setSent((await send(call)) ?? null)
  }
  return (
    <>
      <Button type="button" off={busy} onClick={test}>
        Send test webhook
      </Button>
      {isOpen && (
        <Dialog title="Test webhook" close={() => setOpen(false)}>
          {busy ? (
            <Loading what="Waiting for the receiver" />
          ) : fault ? (
            <Fault text={fault} />
          ) : (
            sent && <Answer of={sent} />
          )}
          <AsCurl calls={[call]} />
        </Dialog>
      )}
    </>
  )
}
