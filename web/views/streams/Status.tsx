import { Badge, type BadgeKind } from '../../parts/Badge.tsx'

const kinds: Record<string, BadgeKind> = {
  active: 'good',
  paused: 'warn',
  error: 'bad',
  terminated: 'bad',
  delivered: 'good',
  pending: 'busy',
  failed: 'bad',
  dropped: 'plain',
  success: 'good',
}

/** The state of a stream, of a webhook or of an attempt. */
export function Status({ of }: { of: string }) {
  return <Badge kind={kinds[of] ?? 'plain'}>{of}</Badge>
}
