import { MintmarkError } from '../errors.ts'

/** What is stored is not what it should be. */
export class VerificationError extends MintmarkError {
  readonly code = 'VERIFICATION'
}
