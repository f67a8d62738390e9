import { Badge, type BadgeKind } from './Badge.tsx'

const kinds: Record<string, BadgeKind> = { live: 'good', syncing: 'busy', queued: 'plain', failed: 'bad' }

/** The status of a collection, and whether it counts as spam or as verified. */
export function CollectionBadge({
  of: { status, possibleSpam, verified },
}: {
  of: { status: string; possibleSpam?: boolean; verified?: boolean }
}) {
  return (
    <span class="badges">
      <Badge kind={kinds[status] ?? 'plain'}>{status}</Badge>
      {possibleSpam && <Badge kind="warn">spam</Badge>}
      {verified && <Badge kind="good">verified</Badge>}
    </span>
  )
}
