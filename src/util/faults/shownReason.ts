import { describeOwnError, errorCode, MintmarkError } from '../errors.ts'
import { isRowFault } from './inputFault.ts'
import { storageFault } from './storageFault.ts'

/**
 * Why work stopped, as clients may read it and the database keeps it: errors of our own in their words, errors of disks, and of every
 * other error only its code. The log has the rest.
 */
export function shownReason(error: unknown): string {
  const storage = storageFault(error)
  if (storage) return storage.reason
  if (error instanceof MintmarkError) return describeOwnError(error)
  const code = errorCode(error)
  if (code === undefined) return 'internal error, see the log'
  return `${isRowFault(error) ? 'refused by the database' : 'internal error'} (${code}), see the log`
}
