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

/** The chains in use, with their nodes. */
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
                { name: 'Status', cell: (chain) => <ChainState chain={chain} /> },
                { name: 'Block', number: true, cell: ({ block }) => (block === null ? '–' : formatNumber(block)) },
                { name: 'Head', number: true, cell: ({ head }) => (head === null ? '–' : formatNumber(head)) },
                { name: 'Lag, blocks', number: true, cell: ({ lag }) => (lag === null ? '–' : formatNumber(lag)) },
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
  const [kind, word, next] = stateOf(chain)
  return (
    <>
      <Badge kind={kind}>{word}</Badge>
      {next && <p class="hint">{next}</p>}
      {chain.fault && (
        <p class="hint fault">
          <bdi>{chain.fault}</bdi>
        </p>
      )}
    </>
  )
}

/** `next`: advice for the operator. */
function stateOf({ chain, pausedAt, fault, wanted, held }: Chain): [kind: BadgeKind, word: string, next?: string] {
  if (pausedAt !== null) return ['warn', 'paused', `To resume: mintmark chains resume ${chain}`]
  if (fault !== null) return ['bad', 'error']
  if (!wanted) return ['plain', 'unused', 'No collection or stream needs it.']
  if (held) return ['good', 'followed']
  return ['warn', 'not followed', 'It needs a running process with the role all or sync.']
}
