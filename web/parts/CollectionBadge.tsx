import { Badge, type BadgeKind } from './Badge.tsx'

const kinds: Record<string, BadgeKind> = { live: 'good', syncing: 'busy', queued: 'plain', failed: 'bad' }

const labels: Record<string, string> = { none: 'no NFTs', nocode: 'no contract' }

/** Display text of a collection's status. */
export function collectionStatus(status: string): string {
  return labels[status] ?? status
}

/** The status of a collection, and whether it counts as spam or as verified. */
export function CollectionBadge({
  of: { status, possibleSpam, verified },
}: {
  of: { status: string; possibleSpam?: boolean; verified?: boolean }
}) {
  return (
    <span class="badges">
      <Badge kind={kinds[status] ?? 'plain'}>{collectionStatus(status)}</Badge>
      {possibleSpam && <Badge kind="warn">spam</Badge>}
      {verified && <Badge kind="good">verified</Badge>}
    </span>
  )
}
