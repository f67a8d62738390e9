import type { components } from '../../api/apiCall.ts'
import { Badge, type BadgeKind } from '../../parts/Badge.tsx'
import { formatShort } from '../../text/numbers.ts'

type Endpoint = components['schemas']['AdminEndpoint']

const states: Record<Endpoint['state'], [BadgeKind, string]> = {
  good: ['good', 'healthy'],
  away: ['bad', 'unreachable'],
  limited: ['warn', 'rate limited'],
  other_chain: ['bad', 'wrong chain'],
  unreadable: ['bad', 'invalid response'],
  unasked: ['plain', 'not queried'],
}

/** The nodes of a chain, as seen by the responding process. */
export function Endpoints({ endpoints }: { endpoints: readonly Endpoint[] | null }) {
  if (endpoints === null) return <span class="hint">none in the configuration of this process</span>
  return (
    <ul class="plain">
      {endpoints.map(({ name, state, calls, failed, averageMs, fault }) => {
        const [kind, word] = states[state]
        return (
          <li key={name}>
            <Badge kind={kind}>{word}</Badge> {name}{' '}
            <span class="hint">
              {formatShort(calls)} calls{failed > 0 && `, ${formatShort(failed)} failed`}
              {averageMs !== null && `, ${averageMs} ms`}
              {fault && (
                <>
                  : <bdi>{fault}</bdi>
                </>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
