import pg from 'pg'
import { MintmarkError } from '../errors.ts'
import { saysNodeLost } from '../util/faults/lostNode.ts'
import type { Outage } from '../util/faults/outage.ts'

/** The database cannot be reached; try again. */
export class DatabaseUnavailableError extends MintmarkError {
  readonly code = 'DATABASE_UNAVAILABLE'
  override readonly retryable = true
  override readonly outage = 'database'
}

/** SQLSTATE of a Postgres error, undefined for anything else. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Whether an error says that a row of the same key exists. Of rows that are copied Citus says so in words, as an internal error. */
export function isUniqueViolation(error: unknown): boolean {
  const state = sqlState(error)
  return state === '23505' || (state === 'XX000' && (error as Error).message.startsWith('duplicate key value'))
}

/** Whether a statement waited for a lock for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** Whether a server is there and takes no connection yet, or no more: it starts, recovers from a crash or ends. */
export function isStarting(error: unknown): boolean {
  return sqlState(error) === '57P03'
}

/** Whether the connection was lost, could not be made or gave no answer in time, so that the fate of a statement is unknown. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError || saysNodeLost(error)) return true
  const state = sqlState(error)
  if (state !== undefined)
    return (
      state.startsWith('08') ||
      state === '57P01' ||
      state === '57P02' ||
      isStarting(error) ||
      state === '57014' ||
      state === '53300'
    )
  const code = (error as { code?: unknown } | null)?.code
  if (
    typeof code === 'string' &&
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)
  )
    return true
  // The driver throws plain errors for these; it gives them no code.
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/.test(
      error.message,
    )
  )
}

/** Whether the server answers, and says that a node of its cluster does not. */
export function isNodeAway(error: unknown): boolean {
  return saysNodeLost(error) || (sqlState(error)?.startsWith('08') ?? false)
}

/** Gives an error back, marked as an outage where it says only that the database is away, which a statement that took too long does not. */
export function marked<T>(error: T): T {
  if (error instanceof Error && isConnectionError(error) && sqlState(error) !== '57014')
    (error as { outage?: Outage }).outage ??= 'database'
  return error
}
