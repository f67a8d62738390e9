import { useEffect, useState } from 'preact/hooks'
import { type components, get } from '../../api/apiCall.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Progress } from '../../parts/Progress.tsx'
import { Shown } from '../../parts/Shown.tsx'
import { formatCount } from '../../text/numbers.ts'

type RangeReplay = components['schemas']['RangeReplay']

/** Progress of a range replay. Its result stays until the user dismisses it. */
export function RangeProgress({ id, replay, dismiss }: { id: string; replay: string; dismiss(): void }) {
  // A replay that has ended does not change, so polling stops.
  const [ended, setEnded] = useState<RangeReplay | null>(null)
  const polled = usePolled(
    ended ? null : get('/history/replay/{streamId}/{id}', { path: { streamId: id, id: replay } }),
    {
      everyMs: 1_000,
    },
  )
  const { data } = polled
  useEffect(() => {
    if (data && data.status !== 'running') setEnded(data)
  }, [data])
  return (
    <section class="range-progress" aria-label="Replay of a range">
      <div class="actions">
        <h3>Replay of a range</h3>
        <button type="button" class="quiet" onClick={dismiss}>
          Dismiss
        </button>
      </div>
      <Shown of={{ ...polled, data: ended ?? data }}>
        {({ progress, replayed, status, message }) => (
          <>
            <Progress share={progress} label="Progress of the replay" />
            <p role="status">
              {formatCount(replayed, 'webhook')} queued, {status}.
            </p>
            {message && (
              <p class="failed">
                <bdi>{message}</bdi>
              </p>
            )}
          </>
        )}
      </Shown>
    </section>
  )
}
