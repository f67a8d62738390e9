import { useState } from 'preact/hooks'
import { type ApiCall, type components, post } from '../../api/apiCall.ts'
import { type Sending, useSend } from '../../context/useSend.ts'
import { AsCurl } from '../../parts/AsCurl.tsx'
import { Button } from '../../parts/Button.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { Dialog } from '../../parts/dialogs/Dialog.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { Field } from '../../parts/Field.tsx'

type Created = components['schemas']['CreatedApiKey']

/** A form for the name and access of a key. Creates the key and shows it once. */
export function CreateKey({ close, created }: { close(): void; created(): void }) {
  const [key, setKey] = useState<Created | null>(null)
  const sending = useSend()
  return (
    <Dialog title={key ? 'New key' : 'Create key'} busy={sending.busy} close={close}>
      {key ? (
        <ShownOnce apiKey={key} close={close} />
      ) : (
        <CreateForm
          sending={sending}
          made={(made) => {
            setKey(made)
            created()
          }}
        />
      )}
    </Dialog>
  )
}

function CreateForm({ sending: { busy, fault, send }, made }: { sending: Sending; made(key: Created): void }) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<'read' | 'admin'>('read')
  const [rate, setRate] = useState('')
  const [burst, setBurst] = useState('')
  const call: ApiCall<Created> = post('/admin/keys', {}, { name, access, ...limits(rate, burst) })
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const answer = await send(call)
    if (answer) made(answer)
  }
  return (
    <form class="fields" onSubmit={submit}>
      <Field label="Name of the key">
        <input required maxLength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </Field>
      <Field label="Access" hint="read: may read data. admin: may do everything, including streams and keys.">
        <select
          value={access}
          onChange={(event) => setAccess(event.currentTarget.value === 'admin' ? 'admin' : 'read')}
        >
          <option value="read">read</option>
          <option value="admin">admin</option>
        </select>
      </Field>
      <Field label="Requests per second" hint="Default: the configured limit.">
        <input
          type="number"
          min="0.001"
          step="any"
          value={rate}
          onInput={(event) => setRate(event.currentTarget.value)}
        />
      </Field>
      <Field label="Burst size" hint="Default: the configured limit.">
        <input type="number" min="1" step="1" value={burst} onInput={(event) => setBurst(event.currentTarget.value)} />
      </Field>
      <Fault text={fault} />
      <div class="actions">
        <Button type="submit" class="main" off={busy}>
          Create
        </Button>
      </div>
      <AsCurl calls={[call]} />
    </form>
  )
}

function limits(rate: string, burst: string): { requestsPerSecond?: number; burst?: number } {
  return { ...(rate !== '' && { requestsPerSecond: Number(rate) }), ...(burst !== '' && { burst: Number(burst) }) }
}

/** The form disappears with the focus of the keyboard. Screen readers announce the element that takes it. */
function focus(element: HTMLElement | null): void {
  element?.focus()
}

function ShownOnce({ apiKey, close }: { apiKey: Created; close(): void }) {
  return (
    <>
      <p tabIndex={-1} ref={focus}>
        Copy the key <strong>{apiKey.name}</strong> now: it is not shown again.
      </p>
      <p class="once">
        <code class="line">{apiKey.key}</code>
        <Copy text={apiKey.key} what="the key" />
      </p>
      <div class="actions">
        <button type="button" class="main" onClick={close}>
          Done
        </button>
      </div>
    </>
  )
}
