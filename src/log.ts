import { type DestinationStream, type LoggerOptions, pino } from 'pino'
import type { Mask } from './util/secrets.ts'

/** Structured events: `log.info({ chain, block, rows, ms }, 'converge')`. */
export type Log = {
  debug(fields: object, event: string): void
  info(fields: object, event: string): void
  warn(fields: object, event: string): void
  error(fields: object, event: string): void
  child(fields: object): Log
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** One JSON object a line to `destination` (standard error by default), each masked as a whole before it is written. */
export function createLog(options: { level: LogLevel; mask: Mask; destination?: DestinationStream }): Log {
  const settings: LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: pino.stdSerializers.err },
    messageKey: 'event',
    // Whatever of an error was written: its words, its stack, its causes and what hangs at it.
    hooks: { streamWrite: options.mask },
  }
  return pino(settings, options.destination ?? pino.destination({ dest: 2, sync: true }))
}

/** Drops everything: for tests and for commands that print for people. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
}
