import { describeOwnError, errorCode, MintmarkError } from '../errors.ts'
import { isRowFault } from './inputFault.ts'
import { storageFault } from './storageFault.ts'

/**
 * Why work stopped, for clients and for storage: our own errors with their messages, disk errors, and any other error only by its code. The log has
 * the rest.
 */
export function shownReason(error: unknown): string {
  const storage = storageFault(error)
  if (storage) return storage.reason
  if (error instanceof MintmarkError) return describeOwnError(error)
  const code = errorCode(error)
  if (code === undefined) return 'internal error, see the log'
  return `${isRowFault(error) ? 'refused by the database' : 'internal error'} (${code}), see the log`
}
