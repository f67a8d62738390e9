import { type DestinationStream, type LoggerOptions, pino } from 'pino'
import { outageOf } from './errors.ts'
import { faultKey, logFields } from './faults/logFields.ts'
import { createRepeats } from './faults/repeats.ts'
import type { Mask } from './urls/secrets.ts'

/** Structured events: `log.info({ chain, block, rows, ms }, 'converge')`. */
export type Log = {
  debug(fields: object, event: string): void
  info(fields: object, event: string): void
  warn(fields: object, event: string): void
  error(fields: object, event: string): void
  child(fields: object): Log
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** A log that a process closes at its end. */
export type OpenLog = Log & {
  /** Writes the counts so far; call it when no further line follows. */
  flush(): void
}

export type LogOptions = {
  level: LogLevel
  mask: Mask
  /** Default: standard error. */
  destination?: DestinationStream | undefined
  /** An error repeated within this time is counted. */
  repeatMs?: number
}

/**
 * One JSON object per line, each masked as a whole before it is written, and none above 4 kB. A recently written warning or error is not written
 * again: once a minute the log shows its number of repeats (`more`, `seconds`). For repeated begins and ends of a state, the latest one is last.
 * Errors that follow from an unreachable node or database are logged at level debug: the outage and its end have their own lines.
 */
export function createLog(options: LogOptions): OpenLog {
  const { level, mask, repeatMs = 60_000 } = options
  const settings: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    messageKey: 'event',
    // `logFields` already converted it to plain fields.
    serializers: { err: (fields) => fields },
    hooks: { streamWrite: mask },
  }
  const out = pino(settings, options.destination ?? pino.destination({ dest: 2, sync: true }))
  const repeats = createRepeats(repeatMs)

  function write(given: 'debug' | 'info' | 'warn' | 'error', fields: object, event: string): void {
    const isFault = given === 'warn' || given === 'error'
    const reported = isFault && outageOf((fields as { err?: unknown }).err) !== undefined ? 'debug' : given
    if (!out.isLevelEnabled(reported)) return
    const line = logFields(fields, mask)
    const key = faultKey(event, line)
    // The end of a state is logged as rarely as its beginning.
    const { state = key, ends = false } = stateOfLine(event, line) ?? {}
    const again = (more: number, seconds: number) => out[reported]({ ...withoutStack(line), more, seconds }, event)
    if (reported === 'debug' || !(isFault || ends) || repeats.isNew({ topic: state, key, ends }, again))
      out[reported](line, event)
  }

  function logOf(bound: object): Log {
    return {
      debug: (fields, event) => write('debug', { ...bound, ...fields }, event),
      info: (fields, event) => write('info', { ...bound, ...fields }, event),
      warn: (fields, event) => write('warn', { ...bound, ...fields }, event),
      error: (fields, event) => write('error', { ...bound, ...fields }, event),
      child: (fields) => logOf({ ...bound, ...fields }),
    }
  }

  return { ...logOf({}), flush: repeats.flush }
}

function withoutStack({ err, ...line }: Record<string, unknown>): object {
  if (typeof err !== 'object' || err === null) return line
  const { stack: _, ...rest } = err as { stack?: unknown }
  return { ...line, err: rest }
}

/** Drops everything: for tests and for commands with readable output. */
export const noopLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => noopLog,
}

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
