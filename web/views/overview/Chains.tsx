import { type components, get } from '../../api/apiCall.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Badge, type BadgeKind } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { formatDuration } from '../../text/times.ts'
import { Endpoints } from './Endpoints.tsx'

type Chain = components['schemas']['AdminChain']

/** The chains that are in use, with their nodes. */
export function Chains() {
  const chains = usePolled(get('/admin/chains', { query: { limit: 100 } }))
  return (
    <Card title="Chains" wide>
      <Shown of={chains}>
        {({ result }) => {
          const used = result.filter(
            ({ configured, wanted, head, fault }) => configured || wanted || head !== null || fault,
          )
          if (used.length === 0)
            return <Empty>No chain is in use yet: the first collection or stream starts one.</Empty>
          return (
            <Table
              caption="Chains"
              rows={used}
              keyOf={({ id }) => id}
              columns={[
                { name: 'Chain', cell: ({ chain, id }) => <span title={id}>{chain}</span> },
                { name: 'State', cell: (chain) => <ChainState chain={chain} /> },
                { name: 'Block', number: true, cell: ({ block }) => (block === null ? '–' : formatNumber(block)) },
                { name: 'Head', number: true, cell: ({ head }) => (head === null ? '–' : formatNumber(head)) },
                { name: 'Lag', number: true, cell: ({ lag }) => (lag === null ? '–' : formatNumber(lag)) },
                {
                  name: 'Head seen',
                  number: true,
                  cell: ({ headAgeSeconds: age }) => (age === null ? 'never' : `${formatDuration(age)} ago`),
                },
                { name: 'Collections', number: true, cell: ({ collections }) => formatNumber(collections) },
                { name: 'Streams', number: true, cell: ({ streams }) => formatNumber(streams) },
                { name: 'Nodes', cell: ({ endpoints }) => <Endpoints endpoints={endpoints} /> },
              ]}
            />
          )
        }}
      </Shown>
    </Card>
  )
}

function ChainState({ chain }: { chain: Chain }) {
  const [kind, word] = stateOf(chain)
  return (
    <>
      <Badge kind={kind}>{word}</Badge>
      {chain.fault && (
        <p class="hint fault">
          <bdi>{chain.fault}</bdi>
        </p>
      )}
    </>
  )
}

function stateOf({ pausedAt, fault, wanted, held }: Chain): [BadgeKind, string] {
  if (pausedAt !== null) return ['warn', 'paused']
  if (fault !== null) return ['bad', 'fault']
  if (!wanted) return ['plain', 'not needed']
  return held ? ['good', 'followed'] : ['warn', 'no process']
}
