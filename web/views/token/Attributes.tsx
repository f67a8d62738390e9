import type { components } from '../../api/apiCall.ts'
import { Card } from '../../parts/Card.tsx'
import { Empty } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber, formatShare } from '../../text/numbers.ts'

type Attribute = NonNullable<components['schemas']['Nft']['normalized_metadata']>['attributes'][number]

/** The traits in a token's metadata, and how many tokens share each. `documents`: number of ranked tokens. */
export function Attributes({ of, documents }: { of: readonly Attribute[]; documents: number }) {
  return (
    <Card title="Attributes">
      {of.length === 0 ? (
        <Empty>The metadata has no attributes.</Empty>
      ) : (
        <Table
          caption="Attributes"
          rows={of.map((attribute, place) => ({ ...attribute, place }))}
          keyOf={({ place }) => String(place)}
          columns={[
            { name: 'Trait', cell: ({ trait_type }) => <bdi class="words">{trait_type ?? '–'}</bdi> },
            { name: 'Value', cell: ({ value }) => <bdi class="words">{textOf(value)}</bdi> },
            {
              name: 'Tokens',
              number: true,
              cell: ({ trait_count: count }) =>
                typeof count === 'number' ? (
                  <>
                    {formatNumber(count)}
                    {documents > 0 && <span class="hint"> {formatShare(Math.min(1, count / documents))}</span>}
                  </>
                ) : (
                  '–'
                ),
            },
          ]}
        />
      )}
    </Card>
  )
}

/** A value can be any JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '–')
}
