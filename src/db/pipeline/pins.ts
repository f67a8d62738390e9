import type pg from 'pg'
import { statementName } from '../database.ts'

/**
 * Statements of one cluster connection with a partition as the first parameter. Citus plans such a statement each time, which takes 1 ms or more: a
 * cached plan must be of one shard, which a parameter does not show. So a partition that is often requested is written into the text, whose plan is
 * cached.
 */
export type Pins = {
  /** The statement to send. */
  of(config: pg.QueryArrayConfig): pg.QueryArrayConfig
  /** No further partition gets a text of its own. */
  readonly full: boolean
}

/** Whether a statement is for the one partition in $1, and no other. */
const isOfFirst = (text: string) => /\bpartition = \$1\b/.test(text) && !/\bpartition = (?!\$1\b)/.test(text)

/** The only partition of a statement; undefined: it may be of several. */
export function requestedPartition({ text, values: [partition] = [] }: pg.QueryArrayConfig): number | undefined {
  return typeof partition === 'number' && isOfFirst(text) ? partition : undefined
}

/** After this many runs on one connection, a statement for one partition gets its own text. */
const oftenEnough = 4

/** Most such texts of a connection: each is a plan of about 60 kB there. */
const mostPins = 200

/** Most counted pairs of statement and partition. */
const mostCounted = 5_000

export function createPins(): Pins {
  const pinned = new Map<string, { name: string; text: string }>()
  const counts = new Map<string, number>()

  function pin(text: string, partition: number): { name: string; text: string } | undefined {
    const name = `${statementName(text)}p${partition}`
    const known = pinned.get(name)
    if (known || pinned.size >= mostPins) return known
    const count = (counts.get(name) ?? 0) + 1
    if (counts.size >= mostCounted) counts.clear()
    counts.set(name, count)
    if (count < oftenEnough) return undefined
    const own = { name, text: withPartition(text, partition) }
    pinned.set(name, own)
    return own
  }

  return {
    of(config) {
      const partition = requestedPartition(config)
      const own = partition === undefined ? undefined : pin(config.text, partition)
      return own ? { ...config, ...own, values: config.values!.slice(1) } : config
    },
    get full() {
      return pinned.size >= mostPins
    },
  }
}

/** The statement with the partition in place of $1, and each further parameter's number reduced by one. */
export function withPartition(text: string, partition: number): string {
  return text.replaceAll(/\$(\d+)/g, (_, number: string) =>
    number === '1' ? `${partition}::int2` : `$${Number(number) - 1}`,
  )
}
