import { useState } from 'preact/hooks'
import { type components, post } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { chainName, useChains } from '../../context/useChains.ts'
import { useSend } from '../../context/useSend.ts'
import { AsCurl } from '../../parts/AsCurl.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/dialogs/Dialog.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { Field } from '../../parts/Field.tsx'
import { webhookStatuses } from './webhookStatuses.ts'

type Stream = components['schemas']['Stream']
type WebhookStatus = (typeof webhookStatuses)[number]

/** Sends a range of webhooks again. The URL gets its id, so that the page shows its progress. */
export function ReplayRange({ stream, close }: { stream: Pick<Stream, 'id' | 'chainIds'>; close(): void }) {
  const { id, chainIds } = stream
  const { router } = useServices()
  const { data: chains } = useChains()
  const { busy, fault, send } = useSend()
  const [chain, setChain] = useState('')
  const [fromBlock, setFromBlock] = useState('')
  const [toBlock, setToBlock] = useState('')
  const [status, setStatus] = useState<WebhookStatus | ''>('')
  const query = {
    chain: chain || undefined,
    fromBlock: fromBlock.trim() || undefined,
    toBlock: toBlock.trim() || undefined,
    status: status || undefined,
  }
  const call = post('/history/replay/{streamId}', { path: { streamId: id }, query }, undefined)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const here = router.fromHere()
    const started = await send(call)
    if (!started) return
    here.setQuery({ replay: started.id })
    close()
  }
  return (
    <Dialog title="Replay a range" busy={busy} close={close}>
      <form class="fields" onSubmit={submit}>
        <p>
          The server sends the webhooks again, with the same bodies and ids, one after the other in their original
          order. Retracted webhooks are skipped.
        </p>
        {chainIds.length > 1 && (
          <Field label="Chain">
            <select value={chain} onChange={({ currentTarget }) => setChain(currentTarget.value)}>
              <option value="">all</option>
              {chainIds.map((one) => (
                <option key={one} value={one}>
                  {chainName(chains?.result, one)}
                </option>
              ))}
            </select>
          </Field>
        )}
        <Field label="First block" hint="Default: the first webhook.">
          <input inputMode="numeric" value={fromBlock} onInput={(event) => setFromBlock(event.currentTarget.value)} />
        </Field>
        <Field label="Last block" hint="Default: the latest webhook.">
          <input inputMode="numeric" value={toBlock} onInput={(event) => setToBlock(event.currentTarget.value)} />
        </Field>
        <Field label="Status">
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
          <Button type="submit" class="main" off={busy}>
            Replay webhooks
          </Button>
        </div>
        <AsCurl calls={[call]} />
      </form>
    </Dialog>
  )
}
