import { useState } from 'preact/hooks'
import { useServices } from '../context/services.ts'
import { likelyChain, useChains } from '../context/useChains.ts'
import { Card } from './Card.tsx'
import { Field } from './Field.tsx'
import { collectionPath, walletPath } from './paths.ts'
import { Shown } from './Shown.tsx'

type Given = {
  /** What stands in the field at first. */
  address?: string
}

/** Takes an address and a chain to the collection, which begins its indexing where nobody requested it yet. */
export function OpenCollection(given: Given) {
  return <OpenAddress title="Open a collection" label="Address of the contract" pathOf={collectionPath} {...given} />
}

/** Takes an address and a chain to what the address holds and moved. */
export function OpenWallet(given: Given) {
  return <OpenAddress title="Look at a wallet" label="Address of the wallet" pathOf={walletPath} {...given} />
}

function OpenAddress({
  title,
  label,
  pathOf,
  address: given = '',
}: Given & { title: string; label: string; pathOf(chain: string, address: string): string }) {
  const { router } = useServices()
  const chains = useChains()
  const [address, setAddress] = useState(given)
  const [chain, setChain] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const open = (event: SubmitEvent, chosen: string | undefined) => {
    event.preventDefault()
    const wanted = address.trim().toLowerCase()
    if (!/^0x[0-9a-f]{40}$/.test(wanted)) setFault('An address is 0x and 40 hex digits.')
    else if (chosen !== undefined) router.go(pathOf(chosen, wanted))
  }
  return (
    <Card title={title}>
      <Shown of={chains}>
        {({ result }) => {
          const chosen = chain ?? likelyChain(result)?.name
          return (
            <form class="line-form" noValidate onSubmit={(event) => open(event, chosen)}>
              <Field label={label} fault={fault}>
                <input
                  required
                  spellcheck={false}
                  autocomplete="off"
                  placeholder="0x…"
                  value={address}
                  onInput={(event) => {
                    setAddress(event.currentTarget.value)
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
              <button type="submit" class="main">
                Open
              </button>
            </form>
          )
        }}
      </Shown>
    </Card>
  )
}
