import { useState } from 'preact/hooks'
import { type components, get, post } from '../../api/apiCall.ts'
import { usePolled } from '../../context/usePolled.ts'
import { useSend } from '../../context/useSend.ts'
import { AsCurl } from '../../parts/AsCurl.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { Field } from '../../parts/Field.tsx'
import { Progress } from '../../parts/Progress.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { webhookStatuses } from './webhookStatuses.ts'

type RangeReplay = components['schemas']['RangeReplay']
type WebhookStatus = (typeof webhookStatuses)[number]

/** Sends a range of webhooks again, and shows how far that is. */
export function ReplayRange({ id, close }: { id: string; close(): void }) {
  const { busy, fault, send } = useSend()
  const [fromBlock, setFromBlock] = useState('')
  const [toBlock, setToBlock] = useState('')
  const [status, setStatus] = useState<WebhookStatus | ''>('')
  const [replay, setReplay] = useState<RangeReplay | null>(null)
  const query = {
    fromBlock: fromBlock.trim() || undefined,
    toBlock: toBlock.trim() || undefined,
    status: status || undefined,
  }
  const call = post('/history/replay/{streamId}', { path: { streamId: id }, query }, undefined)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const begun = await send(call)
    if (begun) setReplay(begun)
  }
  if (replay)
    return (
      <Dialog title="Replay of a range" close={close}>
        <HowFar id={id} begun={replay} />
      </Dialog>
    )
  return (
    <Dialog title="Replay a range" close={close}>
      <form class="fields" onSubmit={submit}>
        <p>
          Webhooks are sent again with their first bodies and ids, one after the other, in the order in which they were
          first sent. What a reorganisation took back is left out.
        </p>
        <Field label="First block" hint="Left empty: from the first webhook on.">
          <input inputMode="numeric" value={fromBlock} onInput={(event) => setFromBlock(event.currentTarget.value)} />
        </Field>
        <Field label="Last block" hint="Left empty: up to the latest webhook.">
          <input inputMode="numeric" value={toBlock} onInput={(event) => setToBlock(event.currentTarget.value)} />
        </Field>
        <Field label="State">
          <select value={status} onChange={({ currentTarget }) => setStatus(currentTarget.value as WebhookStatus | '')}>
            <option value="">any</option>
            {webhookStatuses.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </Field>
        <Fault text={fault} />
        <div class="actions">
          <button type="submit" class="main" disabled={busy}>
            Send again
          </button>
        </div>
        <AsCurl calls={[call]} />
      </form>
    </Dialog>
  )
}

function HowFar({ id, begun }: { id: string; begun: RangeReplay }) {
  const polled = usePolled(get('/history/replay/{streamId}/{id}', { path: { streamId: id, id: begun.id } }), {
    everyMs: 1_000,
  })
  const { status, progress, replayed, message } = polled.data ?? begun
  return (
    <div role="status" class="fields">
      <Progress share={progress} label="Webhooks gone through" />
      <p>
        {formatNumber(replayed)} webhooks queued, {status}.
      </p>
      {message && (
        <p class="failed">
          <bdi>{message}</bdi>
        </p>
      )}
    </div>
  )
}
