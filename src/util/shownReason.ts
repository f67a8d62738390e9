import { describeError, MintmarkError } from '../errors.ts'
import { storageFault } from './storageFault.ts'

/** Why work stopped, as clients and operators may read it: our own errors in their words, faults of disks, nothing else. */
export function shownReason(error: unknown): string {
  const storage = storageFault(error)
  if (storage) return storage.reason
  return error instanceof MintmarkError ? describeError(error) : 'internal error, see the log'
}
