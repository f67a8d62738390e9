import { useRef, useState } from 'preact/hooks'
import { get, post, remove } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { usePages } from '../../context/usePages.ts'
import { useSend } from '../../context/useSend.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { Field } from '../../parts/Field.tsx'
import { More } from '../../parts/More.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { addressesIn } from './form/streamForm.ts'

/** The addresses that a stream watches. */
export function Addresses({ id, changed }: { id: string; changed(): void }) {
  const { toasts } = useServices()
  const { busy, fault, send } = useSend()
  const [text, setText] = useState('')
  const place = useRef<HTMLDivElement>(null)
  const list = usePages((cursor) => get('/streams/evm/{id}/address', { path: { id }, query: { limit: 100, cursor } }))
  const rows = list.pages.flatMap(({ result }) => result)
  const given = addressesIn(text)
  const again = () => {
    list.first.again()
    changed()
  }
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!(await send(post('/streams/evm/{id}/address', { path: { id } }, { address: given })))) return
    toasts.done(given.length === 1 ? 'Address added' : `${given.length} addresses added`)
    setText('')
    again()
  }
  const drop = async (address: string) => {
    if (await send(remove('/streams/evm/{id}/address', { path: { id } }, { address }))) {
      toasts.done('Address removed')
      // The row and its button disappear, with the focus.
      if (place.current?.contains(document.activeElement)) place.current.focus({ preventScroll: true })
    }
    again()
  }
  return (
    <Card title="Addresses" wide>
      <div ref={place} tabIndex={-1}>
        <Shown of={list.first}>
          {() =>
            rows.length === 0 ? (
              <Empty>The stream watches no address, so nothing matches.</Empty>
            ) : (
              <ul class="plain address-list">
                {rows.map(({ address }) => (
                  <li key={address}>
                    <code>{address}</code>
                    <Copy text={address} what={`the address ${address}`} />
                    <Button
                      type="button"
                      class="quiet"
                      off={busy}
                      aria-label={`Remove ${address}`}
                      onClick={() => drop(address)}
                    >
                      <span aria-hidden="true">✕</span>
                    </Button>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </div>
      <More of={list} />
      <form class="fields" onSubmit={add}>
        <Field label="Add addresses" hint="One per line." fault={fault && <bdi>{fault}</bdi>}>
          <textarea rows={2} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </Field>
        <div class="actions">
          <Button type="submit" off={busy || given.length === 0}>
            Add
          </Button>
        </div>
      </form>
    </Card>
  )
}
