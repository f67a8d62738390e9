import { get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Page } from '../../parts/Page.tsx'
import { Shown } from '../../parts/Shown.tsx'
import { formatDuration } from '../../text/times.ts'
import { Chains } from './Chains.tsx'
import { Coins } from './Coins.tsx'
import { EnabledChains } from './EnabledChains.tsx'
import { Indexing } from './Indexing.tsx'
import { LastHour } from './LastHour.tsx'
import { Processes } from './Processes.tsx'
import { Storage } from './Storage.tsx'
import { Work } from './Work.tsx'

/** Server overview, according to the key's access. */
export function Overview() {
  const { access } = useServices()
  return access.value === 'admin' ? <WholeOverview /> : <ReadOverview />
}

function WholeOverview() {
  const overview = usePolled(get('/admin/overview', {}))
  const { data } = overview
  return (
    <Page
      title="Overview"
      lead={data && `Mintmark ${data.version}, role ${data.role}, up ${formatDuration(data.uptimeSeconds)}`}
    >
      <Shown of={overview}>
        {({ missing, queue, rates, database, nodesAway, disk, backpressure }) => (
          <>
            {missing.length > 0 && (
              <p class="failed" role="status">
                Not available: {missing.map(({ part, reason }) => `${partName(part)} (${reason})`).join(', ')}
              </p>
            )}
            <Work queue={queue} database={database} nodesAway={nodesAway} disk={disk} backpressure={backpressure} />
            {rates && <LastHour rates={rates} />}
          </>
        )}
      </Shown>
      <Chains />
      <Indexing counts={data?.queue.collections ?? null} />
      <div class="grid">
        <div class="stack">
          <Coins />
          {data?.processes && <Processes processes={data.processes} />}
        </div>
        {data && <Storage database={data.database} />}
      </div>
    </Page>
  )
}

/** The page's name for a part of the response. */
function partName(part: string): string {
  return part === 'rates' ? 'the last hour' : part.replace(/^queue\./, '')
}

function ReadOverview() {
  return (
    <Page title="Overview" lead="Chains and coins. An admin key also shows the state of the server.">
      <EnabledChains />
      <div class="grid">
        <Coins />
      </div>
    </Page>
  )
}
