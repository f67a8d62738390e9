import { MintmarkError } from '../../errors.ts'

/** PostgreSQL cannot be run here; the message says what is missing and what else can be done. */
export class EmbeddedPostgresUnavailableError extends MintmarkError {
  readonly code = 'EMBEDDED_POSTGRES_UNAVAILABLE'
}
