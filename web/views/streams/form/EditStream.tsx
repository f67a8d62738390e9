import { useState } from 'preact/hooks'
import { type ApiCall, type components, get, post, put } from '../../../api/apiCall.ts'
import { useServices } from '../../../context/services.ts'
import { type Chain, useChains } from '../../../context/useChains.ts'
import { usePolled } from '../../../context/usePolled.ts'
import { useSend } from '../../../context/useSend.ts'
import type { ViewProps } from '../../../context/view.ts'
import { AsCurl } from '../../../parts/AsCurl.tsx'
import { Button } from '../../../parts/Button.tsx'
import { Card } from '../../../parts/Card.tsx'
import { Link } from '../../../parts/Link.tsx'
import { Page } from '../../../parts/Page.tsx'
import { streamPath } from '../../../parts/paths.ts'
import { Shown } from '../../../parts/Shown.tsx'
import { PreviewCard } from './PreviewCard.tsx'
import { StreamFields } from './StreamFields.tsx'
import { addressesIn, changesOf, creationOf, formOf, newForm, type StreamForm } from './streamForm.ts'
import { whatMatches } from './whatMatches.ts'
import '../streams.css'
import { Fault } from '../../../parts/Fault.tsx'

type Stream = components['schemas']['Stream']
type Changed = components['schemas']['ChangedStream']

export function NewStream() {
  const chains = useChains()
  return (
    <Page title="New stream" lead="Matching starts when the stream is created.">
      <Shown of={chains}>{({ result }) => <NewForm chains={result} />}</Shown>
    </Page>
  )
}

function NewForm({ chains }: { chains: readonly Chain[] }) {
  const { router, toasts } = useServices()
  const { busy, fault, send } = useSend()
  // A single chain, or the only configured one, is preselected.
  const named = chains.length === 1 ? chains : chains.filter(({ configured }) => configured)
  const [form, setForm] = useState(() => newForm(named.length === 1 ? [named[0]!.id] : []))
  const call: ApiCall<Changed> = put('/streams/evm', {}, creationOf(form))
  const addresses = form.allAddresses ? [] : addressesIn(form.addresses)
  const save = async () => {
    const here = router.fromHere()
    const made = await send(call)
    if (!made) return
    if (addresses.length > 0 && !(await send(addressCall(made.id, addresses))))
      toasts.failed('The stream was created without its addresses: add them on its page')
    else toasts.done('Stream created')
    here.go(streamPath(made.id))
  }
  return (
    <StreamEditor
      form={form}
      setForm={setForm}
      chains={chains}
      stream={undefined}
      save={save}
      busy={busy}
      fault={fault}
      calls={[call, ...(addresses.length > 0 ? [addressCall('STREAM', addresses)] : [])]}
    />
  )
}

function addressCall(id: string, address: string[]) {
  return post('/streams/evm/{id}/address', { path: { id } }, { address })
}

export function EditStream({ params }: ViewProps) {
  const id = params.id!
  const chains = useChains()
  const stream = usePolled(get('/streams/evm/{id}', { path: { id } }), { everyMs: Number.POSITIVE_INFINITY })
  return (
    <Page title="Edit stream" lead={<Link to={streamPath(id)}>Back to the stream</Link>}>
      <Shown of={chains}>
        {({ result }) => <Shown of={stream}>{(found) => <EditForm stream={found} chains={result} />}</Shown>}
      </Shown>
    </Page>
  )
}

function EditForm({ stream, chains }: { stream: Stream; chains: readonly Chain[] }) {
  const { router, toasts } = useServices()
  const { busy, fault, send } = useSend()
  const [form, setForm] = useState(() => formOf(stream))
  const changes = changesOf(form, stream)
  const call: ApiCall<Changed> = post('/streams/evm/{id}', { path: { id: stream.id } }, changes)
  const isSame = Object.keys(changes).length === 0
  const save = async () => {
    const here = router.fromHere()
    if (!isSame && !(await send(call))) return
    toasts.done(isSame ? 'No changes to save' : 'Stream updated')
    here.go(streamPath(stream.id))
  }
  return (
    <StreamEditor
      form={form}
      setForm={setForm}
      chains={chains}
      stream={stream}
      save={save}
      busy={busy}
      fault={fault}
      calls={isSame ? [] : [call]}
    />
  )
}

function StreamEditor(props: {
  form: StreamForm
  setForm(set: (before: StreamForm) => StreamForm): void
  chains: readonly Chain[]
  stream: Stream | undefined
  save(): Promise<void>
  busy: boolean
  fault: string | null
  calls: readonly ApiCall<unknown>[]
}) {
  const { form, setForm, chains, stream, save, busy, fault, calls } = props
  const matches = whatMatches(form, stream ? stream.amountOfAddresses : addressesIn(form.addresses).length)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form class="stream-form" onSubmit={submit}>
      <div>
        <StreamFields
          form={form}
          change={(values) => setForm((before) => ({ ...before, ...values }))}
          chains={chains}
          isNew={stream === undefined}
        />
      </div>
      <div class="stream-result">
        <PreviewCard form={form} stream={stream} chains={chains} />
        <Card title={stream ? 'Save' : 'Create stream'}>
          <p class={matches === null ? 'unseen' : 'warning'} role="status">
            {matches}
          </p>
          <Fault text={fault} />
          <div class="actions">
            <Button type="submit" class="main" off={busy}>
              {stream ? 'Save changes' : 'Create stream'}
            </Button>
            <Link class="button" to={stream ? streamPath(stream.id) : '/streams'}>
              Cancel
            </Link>
          </div>
          {calls.length > 0 && <AsCurl calls={calls} />}
        </Card>
      </div>
    </form>
  )
}
