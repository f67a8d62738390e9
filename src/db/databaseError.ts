import pg from 'pg'
import type { Outage } from '../util/errors.ts'
import { MintmarkError } from '../util/errors.ts'
import { isNodeLost } from '../util/faults/storageFault.ts'

/** The database cannot be reached; try again. */
export class DatabaseUnavailableError extends MintmarkError {
  readonly code = 'DATABASE_UNAVAILABLE'
  override readonly retryable = true
  override readonly outage = 'database'
}

/**
 * A transaction is committed, but not on all nodes of the cluster, as one was lost at that moment. Citus commits it there once the node is reachable
 * again (`citus.recover_2pc_interval`).
 */
export class CommitUnseenError extends DatabaseUnavailableError {}

/** The coordinator of the cluster cannot reach some of its nodes; try again. */
export class NodesUnreachableError extends MintmarkError {
  readonly code = 'NODES_UNREACHABLE'
  override readonly retryable = true
  override readonly outage = 'database'
}

/** SQLSTATE of a Postgres error; undefined for anything else. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** SQLSTATE by the text of PostgreSQL's message. */
const stateOfMessage: readonly (readonly [words: RegExp, state: string])[] = [
  [/^duplicate key value violates unique constraint/, '23505'],
  [/violates check constraint/, '23514'],
  [/violates not-null constraint/, '23502'],
  [/violates foreign key constraint/, '23503'],
  [/^canceling statement due to lock timeout/, '55P03'],
  [/^canceling statement due to (?:statement timeout|user request)/, '57014'],
  [/^deadlock detected/, '40P01'],
  [/^could not serialize access/, '40001'],
  [/No space left on device$|wrote only \d+ of \d+ bytes/, '53100'],
  [/: Input\/output error$/, '58030'],
  [/^cannot execute .* in a read-only transaction$/, '25006'],
  [/^out of (?:shared )?memory/, '53200'],
  [/^invalid byte sequence for encoding/, '22021'],
  [/^unsupported Unicode escape sequence/, '22P05'],
  [/ out of range$|^numeric field overflow/, '22003'],
  [/^index row (?:size|requires)|^row is too big/, '54000'],
]

/**
 * Returns an error of the driver with the SQLSTATE of its message. While rows are copied to a node (COPY, INSERT of lists), the coordinator of a
 * Citus cluster repeats the message of a rejection as an internal error (https://github.com/citusdata/citus, `ReportCopyError` in `multi_copy.c`).
 */
export function restated<T>(error: T): T {
  if (error instanceof pg.DatabaseError && error.code === 'XX000') {
    const [, state] = stateOfMessage.find(([pattern]) => pattern.test(error.message)) ?? []
    if (state !== undefined) error.code = state
  }
  return error
}

/** Rethrows an error of the driver, changed by `restated`. */
export function throwRestated(error: unknown): never {
  throw restated(error)
}

/** Whether an error says that a row with the same key exists. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505'
}

/** Whether a statement waited longer than `lock_timeout` for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** Whether PostgreSQL cancelled a statement, usually as it took longer than `statement_timeout`. */
export function isCancelled(error: unknown): boolean {
  return sqlState(error) === '57014'
}

/** Whether a server temporarily accepts no connections: it starts, recovers from a crash, or stops. False for a standby that never accepts any. */
export function isStarting(error: unknown): boolean {
  return sqlState(error) === '57P03' && (error as pg.DatabaseError).detail !== 'Hot standby mode is disabled.'
}

/** Whether the connection was lost, could not be opened or did not answer in time, so that the result of a statement is unknown. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError || isNodeLost(error)) return true
  const state = sqlState(error)
  if (state !== undefined)
    return (
      state.startsWith('08') ||
      state === '57P01' ||
      state === '57P02' ||
      state === '57P03' ||
      state === '57014' ||
      state === '53300'
    )
  const code = (error as { code?: unknown } | null)?.code
  if (
    typeof code === 'string' &&
    ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(code)
  )
    return true
  // The driver throws plain errors without a code for these.
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/.test(
      error.message,
    )
  )
}

/** Whether the server answers, but reports that a node of its cluster does not. 08P01 is of poolers that cannot reach their server. */
export function isNodeUnreachable(error: unknown): boolean {
  const state = sqlState(error)
  return isNodeLost(error) || (state !== '08P01' && (state?.startsWith('08') ?? false))
}

/** Returns `restated`, marked as an outage if the error only means that the database is unreachable. A statement timeout does not. */
export function marked<T>(error: T): T {
  restated(error)
  if (error instanceof Error && isConnectionError(error) && !isCancelled(error))
    (error as { outage?: Outage }).outage ??= 'database'
  return error
}
