import { useState } from 'preact/hooks'
import { type components, post } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { Button } from '../../parts/Button.tsx'
import { formatNumber } from '../../text/numbers.ts'

type Item = components['schemas']['HistoryItem']

/** Sends one webhook again. */
export function Replay({ item, replayed }: { item: Item; replayed(): void }) {
  const { send, toasts } = useServices()
  const [busy, setBusy] = useState(false)
  const { id, streamId, tinyPayload } = item
  const block = formatNumber(tinyPayload.block)
  const replay = async () => {
    setBusy(true)
    try {
      await send(post('/history/replay/{streamId}/{id}', { path: { streamId, id } }, undefined))
      toasts.done(`Webhook of block ${block} queued for replay`)
    } catch (error) {
      toasts.failed((error as Error).message)
    }
    setBusy(false)
    replayed()
  }
  return (
    <Button type="button" off={busy} aria-label={`Replay the webhook of block ${block}, ${item.kind}`} onClick={replay}>
      Replay
    </Button>
  )
}
