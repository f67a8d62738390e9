import { useServices } from '../../context/services.ts'
import { Card } from '../Card.tsx'
import { collectionPath, walletPath } from '../paths.ts'
import { AddressForm } from './AddressForm.tsx'

type Given = {
  /** Initial value of the field. */
  address?: string
}

/** Takes an address and a chain to the collection, which begins its indexing where nobody requested it yet. */
export function OpenCollection(given: Given) {
  return <OpenAddress title="Open a collection" label="Address of the contract" pathOf={collectionPath} {...given} />
}

/** Takes an address and a chain to what the address holds and moved. */
export function OpenWallet(given: Given) {
  return <OpenAddress title="Open a wallet" label="Address of the wallet" pathOf={walletPath} {...given} />
}

function OpenAddress({
  title,
  pathOf,
  ...fields
}: Given & { title: string; label: string; pathOf(chain: string, address: string): string }) {
  const { router } = useServices()
  return (
    <Card title={title}>
      <AddressForm {...fields} action="Open" submit={(chain, address) => router.go(pathOf(chain, address))} />
    </Card>
  )
}
