import type { ViewProps } from '../../context/view.ts'
import { OpenCollection } from '../../parts/addresses/OpenAddress.tsx'
import { Page } from '../../parts/Page.tsx'
import { CollectionList } from './CollectionList.tsx'

/** Every collection that is indexed, and the way to a new one. */
export function Collections({ query }: ViewProps) {
  return (
    <Page title="Collections" lead="The first request for a contract starts its indexing.">
      <OpenCollection />
      <CollectionList query={query} />
    </Page>
  )
}
