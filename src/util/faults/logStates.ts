/** The log events with which states end, by the events with which they begin. Each line is about one subject. */
export const endOf: Readonly<Record<string, string>> = {
  'rpc endpoint unreachable': 'rpc endpoint recovered',
  'rpc endpoint serves another chain': 'rpc endpoint serves the right chain again',
  'chain head below followed block': 'chain following resumed',
  'chain unreachable': 'chain reachable',
  'aptos network unreachable': 'aptos network reachable',
  'aptos source suspended': 'aptos source recovered',
  'database unreachable': 'database recovered',
  'database node unreachable': 'database node recovered',
  'PostgreSQL exited unexpectedly': 'PostgreSQL restarted',
  'disk writes failed': 'disk writes recovered',
  'disk reserve low: snapshots, exports and preview images are rejected': 'disk reserve recovered',
  'not ready': 'ready',
  'loop failed': 'loop recovered',
}

const beginningOf = new Map(Object.entries(endOf).map(([begins, ends]) => [ends, begins]))

/** Fields that name the subject of a state. */
const subjects = ['chain', 'network', 'endpoint', 'source', 'loop', 'disk', 'node']

export type StateLine = {
  /** The same for both lines of one state. */
  state: string
  ends: boolean
}

/** The state that a line begins or ends; undefined: none. */
export function stateOfLine(event: string, line: Readonly<Record<string, unknown>>): StateLine | undefined {
  const ends = beginningOf.has(event)
  if (!ends && !(event in endOf)) return undefined
  return { state: JSON.stringify([beginningOf.get(event) ?? event, ...subjects.map((name) => line[name])]), ends }
}
