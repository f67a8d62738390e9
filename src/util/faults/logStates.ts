/** The events of the log with which a state ends, by the events with which it begins. Each is one line about one subject. */
export const endOf: Readonly<Record<string, string>> = {
  'node is away': 'node is back',
  'node serves another chain': 'node serves the right chain again',
  'head stays behind': 'head is followed again',
  'chain does not answer': 'chain answers',
  'network does not answer': 'network answers',
  'source left alone': 'source is back',
  'database is away': 'database is back',
  'node of the database is away': 'node of the database is back',
  'PostgreSQL ended by itself': 'PostgreSQL runs again',
  'nothing can be written': 'can be written again',
  'disk reserve not free: snapshots, exports and previews are refused': 'disk reserve free again',
  'not ready': 'ready',
  'loop failed': 'loop goes on',
}

const beginningOf = new Map(Object.entries(endOf).map(([begins, ends]) => [ends, begins]))

/** Fields that name the subject of a state. */
const subjects = ['chain', 'network', 'endpoint', 'source', 'loop', 'disk', 'node']

export type StateLine = {
  /** The same for both lines of one state. */
  state: string
  ends: boolean
}

/** The state that a line begins or ends; undefined: the event begins and ends none. */
export function stateOfLine(event: string, line: Readonly<Record<string, unknown>>): StateLine | undefined {
  const ends = beginningOf.has(event)
  if (!ends && !(event in endOf)) return undefined
  return { state: JSON.stringify([beginningOf.get(event) ?? event, ...subjects.map((name) => line[name])]), ends }
}
