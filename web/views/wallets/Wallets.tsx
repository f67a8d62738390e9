import { useState } from 'preact/hooks'
import { useServices } from '../../context/services.ts'
import { type Chain, likelyChain, useChains } from '../../context/useChains.ts'
import { Card } from '../../parts/Card.tsx'
import { Field } from '../../parts/Field.tsx'
import { Page } from '../../parts/Page.tsx'
import { walletPath } from '../../parts/paths.ts'
import { Shown } from '../../parts/Shown.tsx'

/** Asks which wallet to look at. */
export function Wallets() {
  const chains = useChains()
  return (
    <Page title="Wallets" lead="What an address holds and moved, over all collections that are indexed on a chain.">
      <Card title="A wallet">
        <Shown of={chains}>{({ result }) => <WalletForm chains={result} />}</Shown>
      </Card>
    </Page>
  )
}

function WalletForm({ chains }: { chains: readonly Chain[] }) {
  const { router } = useServices()
  const [chain, setChain] = useState(likelyChain(chains)?.name ?? '')
  const [address, setAddress] = useState('')
  const open = (event: SubmitEvent) => {
    event.preventDefault()
    router.go(walletPath(chain, address.trim().toLowerCase()))
  }
  return (
    <form class="fields" onSubmit={open}>
      <Field label="Chain">
        <select value={chain} onChange={(event) => setChain(event.currentTarget.value)}>
          {chains.map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Address">
        <input
          required
          pattern="\s*0x[0-9a-fA-F]{40}\s*"
          title="0x and 40 hex digits"
          autocomplete="off"
          spellcheck={false}
          value={address}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
      </Field>
      <div class="actions">
        <button type="submit" class="main">
          Look at it
        </button>
      </div>
    </form>
  )
}
