import { useState } from 'preact/hooks'
import { type ApiCall, type components, post } from '../../../api/apiCall.ts'
import { type Chain, chainName } from '../../../context/useChains.ts'
import { useSend } from '../../../context/useSend.ts'
import { AsCurl } from '../../../parts/AsCurl.tsx'
import { Button } from '../../../parts/Button.tsx'
import { Card } from '../../../parts/Card.tsx'
import { Fault } from '../../../parts/Fault.tsx'
import { Field } from '../../../parts/Field.tsx'
import { Json } from '../../../parts/Json.tsx'
import { Stats } from '../../../parts/Stats.tsx'
import { formatCount, formatNumber } from '../../../text/numbers.ts'
import { previewOf, type StreamForm } from './streamForm.ts'

type Stream = components['schemas']['Stream']
type StreamPreview = components['schemas']['StreamPreview']

const mostBlocks = 100

/** Preview of the form's matches in the last blocks, before it is saved. */
export function PreviewCard({
  form,
  stream,
  chains,
}: {
  form: StreamForm
  stream: Stream | undefined
  chains: readonly Chain[]
}) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [blocks, setBlocks] = useState(String(mostBlocks))
  const [shown, setShown] = useState<{ requested: string; preview: StreamPreview } | null>(null)
  const { busy, fault, send } = useSend()
  const chainId = chosen !== null && form.chainIds.includes(chosen) ? chosen : (form.chainIds[0] ?? '')
  const body = { ...previewOf(form, chainId, stream), blocks: Number(blocks) }
  const call: ApiCall<StreamPreview> = post('/admin/streams/preview', {}, body)
  const requested = JSON.stringify(body)
  const request = async () => {
    const preview = await send(call)
    if (preview) setShown({ requested, preview })
  }
  return (
    <Card title="Preview of matches">
      <div class="fields">
        {form.chainIds.length > 1 && (
          <Field label="Chain">
            <select value={chainId} onChange={(event) => setChosen(event.currentTarget.value)}>
              {form.chainIds.map((id) => (
                <option key={id} value={id}>
                  {chainName(chains, id)}
                </option>
              ))}
            </select>
          </Field>
        )}
        <Field label="Number of latest blocks" hint={`1 to ${mostBlocks}`}>
          <input
            type="number"
            min={1}
            max={mostBlocks}
            value={blocks}
            onInput={(event) => setBlocks(event.currentTarget.value)}
          />
        </Field>
        <div class="actions">
          <Button type="button" off={busy || form.chainIds.length === 0} onClick={request}>
            {busy ? 'Searching …' : 'Preview matches'}
          </Button>
        </div>
      </div>
      <Fault text={fault} />
      {shown && !fault && <PreviewResult preview={shown.preview} name={chainName(chains, shown.preview.chainId)} />}
      {shown && shown.requested !== requested && <p class="hint">The form has changed since this preview.</p>}
      <AsCurl calls={[call]} />
    </Card>
  )
}

function PreviewResult({ preview, name }: { preview: StreamPreview; name: string }) {
  const { matched, fromBlock, toBlock, blocks, cutShort, samples } = preview
  return (
    <div role="status" class="fields">
      <p>
        {matched.webhooks === 0 ? 'Nothing matched' : formatCount(matched.webhooks, 'webhook')} in{' '}
        {formatCount(blocks, 'block')} of <bdi>{name}</bdi>, {formatNumber(fromBlock)} to {formatNumber(toBlock)}.
      </p>
      {cutShort.map(({ reason, message }) => (
        <p key={reason} class="hint">
          <bdi>{message}</bdi>
        </p>
      ))}
      <Stats
        of={[
          { name: 'Blocks', value: formatNumber(matched.blocks), hint: 'with a match' },
          { name: 'Logs', value: formatNumber(matched.logs) },
          { name: 'Transactions', value: formatNumber(matched.txs) },
          { name: 'Internal transactions', value: formatNumber(matched.txsInternal) },
          { name: 'ERC-20 transfers', value: formatNumber(matched.erc20Transfers) },
          { name: 'NFT transfers', value: formatNumber(matched.nftTransfers) },
        ]}
      />
      {samples.length > 0 && (
        <div class="samples">
          {samples.map((sample, i) => (
            <Sample key={i} sample={sample} />
          ))}
        </div>
      )}
    </div>
  )
}

/** The body of a webhook as it would be sent. Rendered only while open, as it may be long. */
function Sample({ sample }: { sample: Record<string, unknown> }) {
  const [isOpen, setOpen] = useState(false)
  const { block, logs, txs } = sample as { block?: { number?: string }; logs?: unknown[]; txs?: unknown[] }
  const number = block?.number ?? ''
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Block <bdi>{number}</bdi>: {formatCount(logs?.length ?? 0, 'log')},{' '}
        {formatCount(txs?.length ?? 0, 'transaction')}
      </summary>
      {isOpen && <Json value={sample} label={`Webhook of block ${number}`} />}
    </details>
  )
}
