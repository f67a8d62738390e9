import { useEffect, useState } from 'preact/hooks'
import { type components, post } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { chainName, useChains } from '../../context/useChains.ts'
import { useSend } from '../../context/useSend.ts'
import { AsCurl } from '../../parts/AsCurl.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/dialogs/Dialog.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { Field } from '../../parts/Field.tsx'

type Stream = components['schemas']['Stream']
type Changed = components['schemas']['ChangedStream']
type StreamStatus = components['schemas']['StreamStatus']

/** Pauses a stream, or prompts for the block to resume from. */
export function PauseOrResume({ stream, changed }: { stream: Stream; changed(): void }) {
  const { toasts } = useServices()
  const { busy, send } = useSend()
  const [isResuming, setResuming] = useState(false)
  const pause = async () => {
    const paused = await send(statusCall(stream.id, { status: 'paused' }), (why) =>
      toasts.failed(`The stream could not be paused: ${why}`),
    )
    if (paused) toasts.done('The stream is paused')
    changed()
  }
  const isActive = stream.status === 'active'
  // Another tab may resume the stream meanwhile. The dialog must not open by itself at the next pause.
  useEffect(() => {
    if (isActive) setResuming(false)
  }, [isActive])
  return (
    <>
      {/* One element, which keeps the focus when the stream is paused. */}
      <Button
        type="button"
        class={isActive ? '' : 'main'}
        off={busy}
        onClick={isActive ? pause : () => setResuming(true)}
      >
        {isActive ? 'Pause' : 'Resume'}
      </Button>
      {isResuming && !isActive && <Resume stream={stream} close={() => setResuming(false)} resumed={changed} />}
    </>
  )
}

function statusCall(id: string, body: StreamStatus) {
  return post('/streams/evm/{id}/status', { path: { id } }, body)
}

type From = 'pause' | 'now' | 'blocks'

const choices: readonly [from: From, label: string, hint: string][] = [
  ['pause', 'The block of the pause', 'The blocks since the pause are matched too.'],
  ['now', 'The next block', 'The blocks since the pause are skipped.'],
  ['blocks', 'A block of your choice', 'Earlier blocks are skipped.'],
]

function Resume({ stream, close, resumed }: { stream: Stream; close(): void; resumed(): void }) {
  const { toasts } = useServices()
  const { busy, fault, send } = useSend()
  const { data: chains } = useChains()
  const [from, setFrom] = useState<From>('pause')
  const [blocks, setBlocks] = useState<Record<string, string>>({})
  const [isMissing, setMissing] = useState(false)
  // A stream in error never stopped matching: it has no block to resume from.
  const hasPlace = stream.status !== 'error'
  const named = Object.fromEntries(Object.entries(blocks).filter(([, block]) => block.trim() !== ''))
  const call = statusCall(stream.id, {
    status: 'active',
    ...(hasPlace && from === 'now' && { resumeFrom: 'now' }),
    ...(hasPlace && from === 'blocks' && { fromBlocks: named }),
  })
  const resume = async (event: SubmitEvent) => {
    event.preventDefault()
    // Without a block the server resumes where the stream was paused.
    if (hasPlace && from === 'blocks' && Object.keys(named).length === 0) {
      setMissing(true)
      return
    }
    const answer: Changed | undefined = await send(call)
    if (!answer) return
    const places = Object.entries(answer.effectiveBlocks).map(
      ([id, block]) => `${chainName(chains?.result, id)} from block ${block}`,
    )
    toasts.done(['The stream is active', ...places].join(', '))
    resumed()
    close()
  }
  return (
    <Dialog title="Resume the stream" busy={busy} close={close}>
      <form class="fields" onSubmit={resume}>
        {hasPlace ? (
          <fieldset class="choices">
            <legend>Resume from</legend>
            {choices.map(([value, label, hint]) => (
              <label key={value} class="check">
                <input
                  type="radio"
                  name="from"
                  checked={from === value}
                  onChange={() => {
                    setFrom(value)
                    setMissing(false)
                  }}
                />
                <span>
                  {label} <span class="hint">{hint}</span>
                </span>
              </label>
            ))}
          </fieldset>
        ) : (
          <p>The server sends the pending webhooks.</p>
        )}
        {hasPlace &&
          from === 'blocks' &&
          stream.chainIds.map((id, i) => (
            <Field
              key={id}
              label={
                <>
                  First block on <bdi>{chainName(chains?.result, id)}</bdi>
                </>
              }
              hint={stream.chainIds.length > 1 && 'Default: the block of the pause.'}
              fault={isMissing && i === 0 && 'Enter the first block to match, or choose another option.'}
            >
              <input
                inputMode="numeric"
                aria-required={stream.chainIds.length === 1}
                pattern="[0-9]{1,18}"
                title="Block number in decimal digits"
                value={blocks[id] ?? ''}
                onInput={({ currentTarget }) => {
                  setBlocks({ ...blocks, [id]: currentTarget.value })
                  setMissing(false)
                }}
              />
            </Field>
          ))}
        <Fault text={fault} />
        <div class="actions">
          <Button type="submit" class="main" off={busy}>
            Resume
          </Button>
        </div>
        <AsCurl calls={[call]} />
      </form>
    </Dialog>
  )
}
