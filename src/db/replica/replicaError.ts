import { MintmarkError, UnavailableError } from '../../errors.ts'

/** What the address of the read replica leads to cannot be used; the message says why. */
export class ReplicaError extends MintmarkError {
  readonly code = 'REPLICA'
}

/** Pages cannot be read from the replica now, and the message says why. HTTP 503. */
export class ReplicaUnavailableError extends UnavailableError {
  override readonly outage = 'replica'
}
