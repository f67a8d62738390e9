import type { ViewProps } from '../../context/view.ts'
import { OpenCollection } from '../../parts/addresses/OpenAddress.tsx'
import { Page } from '../../parts/Page.tsx'
import { CollectionList } from './CollectionList.tsx'

/** All indexed collections, and a form to open a new one. */
export function Collections({ query }: ViewProps) {
  return (
    <Page title="Collections" lead="The first request for a contract starts its indexing.">
      <OpenCollection />
      <CollectionList query={query} />
    </Page>
  )
}
