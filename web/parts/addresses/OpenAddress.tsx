import { useServices } from '../../context/services.ts'
import { Card } from '../Card.tsx'
import { collectionPath, walletPath } from '../paths.ts'
import { AddressForm } from './AddressForm.tsx'

type Given = {
  /** Initial value of the field. */
  address?: string
}

/** A form that opens a collection. The first request for it starts its indexing. */
export function OpenCollection(given: Given) {
  return <OpenAddress title="Open a collection" label="Address of the contract" pathOf={collectionPath} {...given} />
}

/** A form that opens a wallet. */
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
