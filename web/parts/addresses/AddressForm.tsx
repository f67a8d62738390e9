import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { likelyChain, useChains } from '../../context/useChains.ts'
import { Button } from '../Button.tsx'
import { Field } from '../Field.tsx'
import { Shown } from '../Shown.tsx'

/** A form for an address and a chain. `children`: shown below, once the address is valid. */
export function AddressForm({
  label,
  action,
  address: given = '',
  busy = false,
  submit,
  children,
}: {
  label: string
  /** The button's label. */
  action: string
  /** Initial value of the field. */
  address?: string
  busy?: boolean
  submit(chain: string, address: string): void
  children?(chain: string, address: string): ComponentChildren
}) {
  const chains = useChains()
  const [typed, setTyped] = useState(given)
  const [chain, setChain] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const address = typed.trim().toLowerCase()
  const isAddress = /^0x[0-9a-f]{40}$/.test(address)
  const send = (event: SubmitEvent, chosen: string | undefined) => {
    event.preventDefault()
    if (!isAddress) setFault('Not an address. Enter 0x and 40 hex digits.')
    else if (chosen !== undefined) submit(chosen, address)
  }
  return (
    <Shown of={chains}>
      {({ result }) => {
        const chosen = chain ?? likelyChain(result)?.name
        return (
          <>
            <form class="line-form" noValidate onSubmit={(event) => send(event, chosen)}>
              <Field label={label} fault={fault}>
                <input
                  required
                  spellcheck={false}
                  autocomplete="off"
                  placeholder="0x…"
                  value={typed}
                  onInput={(event) => {
                    setTyped(event.currentTarget.value)
                    setFault(null)
                  }}
                />
              </Field>
              <Field label="Chain">
                <select value={chosen} onChange={(event) => setChain(event.currentTarget.value)}>
                  {result.map(({ name, id }) => (
                    <option key={id} value={name}>
                      {name}
                    </option>
                  ))}
                </select>
              </Field>
              <Button type="submit" class="main" off={busy}>
                {action}
              </Button>
            </form>
            {isAddress && chosen !== undefined && children?.(chosen, address)}
          </>
        )
      }}
    </Shown>
  )
}
