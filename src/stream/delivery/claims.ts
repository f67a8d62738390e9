import type { QueuedWebhook } from './loadWebhooks.ts'

/**
 * What this process has of an attempt, from reading its row to writing what it came to:
 *
 *     free → loaded → under way → made → settled → free
 *
 * Only a free one is taken from a row that was read, so nothing that is under way, or made and not settled yet, is sent again:
 * neither after the lease was lost and found, nor after the database was away. A settled one stays known while reads go on
 * that may have begun before it was settled: their rows still show it as owed.
 */
export type Claim = 'free' | 'loaded' | 'under way' | 'made' | 'settled'

export type ClaimEvent =
  | 'load'
  /** Out of memory again, unsent. */
  | 'forget'
  | 'send'
  /** Cut off by the end of this process: it is made again, by whoever delivers next. */
  | 'cut'
  | 'answer'
  | 'settle'
  /** Every read that began before it was settled is over. */
  | 'age'

const transitions: Record<Claim, Partial<Record<ClaimEvent, Claim>>> = {
  free: { load: 'loaded' },
  loaded: { send: 'under way', forget: 'free' },
  'under way': { answer: 'made', cut: 'free' },
  made: { settle: 'settled' },
  settled: { age: 'free' },
}

/** What becomes of a claim; undefined where this cannot happen to it. */
export function nextClaim(claim: Claim, event: ClaimEvent): Claim | undefined {
  return transitions[claim][event]
}

/** Whoever took attempts: how many of them are not settled, and to which partition they belong. */
export type ClaimOwner = { held: number; readonly stream: { readonly partition: number } }

export type AttemptName = Pick<QueuedWebhook, 'position' | 'replay' | 'failures'>

/** What this process has, by delivery and number of the attempt. */
export type Claims<O extends ClaimOwner> = {
  /** Reads rows of which some may be taken, then takes them. */
  reading<T>(work: () => Promise<T>): Promise<T>
  /** False: it is not free. */
  take(owner: O, attempt: AttemptName): boolean
  /** The claims of rows that were taken. Throws where this cannot happen to them: it is a fault of the caller. */
  move(attempt: AttemptName, event: 'forget' | 'send' | 'cut' | 'answer' | 'settle'): void
  /** Whether attempts of this partition are under way, or made and not settled. */
  busy(partition: number): boolean
}

export function createClaims<O extends ClaimOwner>(): Claims<O> {
  const claims = new Map<string, { claim: Claim; owner: O }>()
  const unsettled = new Map<number, number>()
  let settled: string[] = []
  let reads = 0

  function count(partition: number, change: number): void {
    unsettled.set(partition, (unsettled.get(partition) ?? 0) + change)
  }

  return {
    async reading(work) {
      reads += 1
      try {
        return await work()
      } finally {
        reads -= 1
        if (reads === 0) {
          for (const name of settled) claims.delete(name)
          settled = []
        }
      }
    },
    take(owner, attempt) {
      const name = nameOf(attempt)
      if (claims.has(name)) return false
      claims.set(name, { claim: 'loaded', owner })
      owner.held += 1
      return true
    },
    move(attempt, event) {
      const name = nameOf(attempt)
      const entry = claims.get(name)
      const next = nextClaim(entry?.claim ?? 'free', event)
      if (!entry || !next) throw new TypeError(`attempt ${name} is ${entry?.claim ?? 'free'}: it cannot ${event}`)
      entry.claim = next
      const { owner } = entry
      if (event === 'send') count(owner.stream.partition, 1)
      if (event === 'cut' || event === 'settle') count(owner.stream.partition, -1)
      if (next !== 'free' && next !== 'settled') return
      owner.held -= 1
      if (next === 'settled' && reads > 0) settled.push(name)
      else claims.delete(name)
    },
    busy: (partition) => (unsettled.get(partition) ?? 0) > 0,
  }
}

function nameOf({ position, replay, failures }: AttemptName): string {
  return `${position}:${replay}:${failures}`
}
