import { get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { usePolled } from '../../context/usePolled.ts'
import type { ViewProps } from '../../context/view.ts'
import { Short } from '../../parts/addresses/Short.tsx'
import { Page } from '../../parts/Page.tsx'
import { Shown } from '../../parts/Shown.tsx'
import { nameOrAddress } from '../../text/shorten.ts'
import { About } from './About.tsx'
import { BlockSlider } from './BlockSlider.tsx'
import './collection.css'
import { Figures } from './Figures.tsx'
import { FilteredGallery } from './FilteredGallery.tsx'
import { Owners } from './owners/Owners.tsx'
import { ReadAgain } from './ReadAgain.tsx'
import { readProgress } from './readProgress.ts'
import { isSection, SectionLinks } from './SectionLinks.tsx'
import { Snapshot } from './snapshot/Snapshot.tsx'
import { Transfers } from './Transfers.tsx'

/** One collection: its progress, tokens, owners and transfers, now or at a block. The first request starts its indexing. */
export function Collection({ params, query }: ViewProps) {
  const { router } = useServices()
  const { chain, address } = params as { chain: string; address: string }
  const of = { chain, address }
  const head = usePolled(
    get('/api/v2/nft/{address}', { path: { address }, query: { chain, limit: 1, disable_total: false } }),
    { everyMs: 2_000 },
  )
  const contract = usePolled(get('/api/v2/nft/{address}/metadata', { path: { address }, query: { chain } }))
  const wanted = query.get('show')
  const section = isSection(wanted) ? wanted : 'tokens'
  const block = /^\d{1,10}$/.test(query.get('block') ?? '') ? query.get('block')! : undefined
  const name = nameOrAddress(contract.data?.name, address)
  return (
    <Page
      title={<bdi>{name}</bdi>}
      lead={
        <span class="collection-lead">
          {chain} <Short text={address} what="the address" />
        </span>
      }
      actions={<ReadAgain {...of} done={head.again} />}
    >
      <Shown of={head}>
        {({ total }) => {
          const progress = readProgress(head.headers)
          return (
            <>
              <Figures {...of} total={total} progress={progress} contract={contract.data} />
              <SectionLinks section={section} />
              {(section === 'tokens' || section === 'owners') && (
                <BlockSlider
                  from={progress.fromBlock}
                  to={progress.toBlock}
                  block={block}
                  choose={(chosen) => router.setQuery({ block: chosen })}
                />
              )}
              {section === 'tokens' && <FilteredGallery {...of} block={block} query={query} />}
              {section === 'owners' && <Owners {...of} block={block} progress={progress} total={total} />}
              {section === 'transfers' && <Transfers {...of} />}
              {section === 'snapshot' && <Snapshot {...of} block={block} progress={progress} />}
              {section === 'about' && <About {...of} contract={contract.data} />}
            </>
          )
        }}
      </Shown>
    </Page>
  )
}
