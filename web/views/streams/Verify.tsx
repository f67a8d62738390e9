import { useState } from 'preact/hooks'
import { type components, post } from '../../api/apiCall.ts'
import { useSend } from '../../context/useSend.ts'
import { Card } from '../../parts/Card.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { Confirm } from '../../parts/dialogs/Confirm.tsx'
import { Dialog } from '../../parts/dialogs/Dialog.tsx'
import { formatTime } from '../../text/times.ts'
import { type Language, receiversOf } from './verifyCode.ts'

type Stream = components['schemas']['Stream']

const hidden = 'whsec_••••••••'

/** The secret of a stream, hidden by default, and example receivers that verify its webhooks. */
export function Verify({ stream, rotated }: { stream: Stream; rotated(): void }) {
  const [isShown, setShown] = useState(false)
  const [isRotating, setRotating] = useState(false)
  const [language, setLanguage] = useState<Language>('node')
  const receivers = receiversOf(stream)
  const { file, run, code } = receivers[language]
  const lineWith = (secret: string) => `WEBHOOK_SECRET=${secret} ${run}`
  return (
    <Card
      title="Verify signatures"
      wide
      actions={
        <>
          <button type="button" onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide secret' : 'Show secret'}
          </button>
          <button type="button" onClick={() => setRotating(true)}>
            Rotate secret
          </button>
        </>
      }
    >
      <p>
        The server signs webhooks with the secret of this stream, as{' '}
        <a href="https://www.standardwebhooks.com" rel="noreferrer">
          Standard Webhooks
        </a>{' '}
        specifies. This receiver verifies the signatures:
      </p>
      <fieldset class="actions">
        <legend class="unseen">Language</legend>
        {Object.entries(receivers).map(([id, { name }]) => (
          <label key={id} class="check">
            <input
              type="radio"
              name="language"
              checked={language === id}
              onChange={() => setLanguage(id as Language)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <p class="once">
        <code class="line">{lineWith(isShown ? stream.webhookSecret : hidden)}</code>
        <Copy text={lineWith(stream.webhookSecret)} what="the line with the secret" />
      </p>
      <div class="once">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
        <section class="scroll code grows" aria-label={file} tabIndex={0}>
          <pre>{code}</pre>
        </section>
        <Copy text={code} what={file} />
      </div>
      {isRotating && <RotateSecret stream={stream} close={() => setRotating(false)} rotated={rotated} />}
    </Card>
  )
}

function RotateSecret({ stream, close, rotated }: { stream: Stream; close(): void; rotated(): void }) {
  const sending = useSend()
  const [made, setMade] = useState<{ webhookSecret: string; previousUntil: string } | null>(null)
  const call = post('/streams/evm/{id}/secret', { path: { id: stream.id } }, undefined)
  const rotate = async () => {
    const answer = await sending.send(call)
    if (!answer) return
    setMade(answer)
    rotated()
  }
  if (made)
    return (
      <Dialog title="New secret" close={close}>
        <p class="once">
          <code class="line">{made.webhookSecret}</code>
          <Copy text={made.webhookSecret} what="the secret" />
        </p>
        <p>The server also signs with the previous secret until {formatTime(Date.parse(made.previousUntil))}.</p>
        <div class="actions">
          <button type="button" class="main" onClick={close}>
            Done
          </button>
        </div>
      </Dialog>
    )
  return (
    <Confirm
      title="Rotate the webhook secret?"
      action="Rotate secret"
      kind="main"
      calls={[call]}
      sending={sending}
      confirm={rotate}
      close={close}
    >
      For a while the server signs each webhook with both secrets, so that receivers can switch without a gap.
    </Confirm>
  )
}
