import { join, relative } from 'node:path'
import { DatabaseUnavailableError, sqlState } from '../db/databaseError.ts'
import { MintmarkError, UnknownStreamError } from '../util/errors.ts'

/** Next step of an operator, by error code; other errors contain it in their message. */
const steps: Record<string, string> = {
  CONFIG: `every setting is described in ${packagePath('docs/configuration.md')}`,
  DATABASE_UNAVAILABLE: 'start PostgreSQL, or correct --database-url (databaseUrl)',
  NODES_UNREACHABLE: 'start PostgreSQL there, or let it accept the coordinator',
  INITDB_FAILED: 'free disk space and let this user write there, or set databaseUrl',
  POSTGRES_START: 'free disk space and let this user write there, or set databaseUrl',
  POSTGRES_STOP: 'end that process, then try again',
  ANVIL_START: 'install without --omit=optional, on Linux, macOS or Windows',
  COIN_FILE: 'correct the whole file and import it again; batches before this one stay, and no record is stored twice',
  REPLICA: 'correct databaseReadUrl, or remove it to read pages from databaseUrl',
  RPC: 'check that the node runs and that chains.NAME.rpc is its address',
  NO_ENDPOINT: 'check that the nodes run and that chains.NAME.rpc has their addresses',
  INCONSISTENT_RESPONSE: 'try again, or configure another node under chains.NAME.rpc',
}

/** By SQLSTATE, or by its class. */
const databaseSteps: Record<string, string> = {
  '28': 'correct the user and the password in --database-url (databaseUrl)',
  '3D': 'create that database, or correct --database-url (databaseUrl)',
  '42501': 'give its user the right to create tables, or use another user in --database-url (databaseUrl)',
  '53100': 'free disk space',
  '53200': 'give PostgreSQL more memory',
  '53': 'raise max_connections of PostgreSQL, or lower databasePoolSize',
  '25006': 'set --database-url (databaseUrl) to the primary, or make this PostgreSQL writable: it is read-only',
}

/** Codes of untrusted certificates. They come from the database here, as other hosts' errors are wrapped. */
const certificateFaults = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

export function nextStep(error: unknown): string | undefined {
  if (error instanceof UnknownStreamError) return 'see "mintmark streams list"'
  if (error instanceof DatabaseUnavailableError) return nextStep(error.cause) ?? steps[error.code]
  if (error instanceof MintmarkError) return rejectedStep(error.cause) ?? steps[error.code]
  const state = sqlState(error)
  if (state !== undefined) return databaseStep(error as Error, state)
  if (error instanceof Error && error.message === withoutTls)
    return 'turn on ssl in postgresql.conf, or remove sslmode from --database-url (databaseUrl)'
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (code !== undefined && certificateFaults.has(code))
    return 'add the file of its certificate authority, sslrootcert=FILE, to --database-url (databaseUrl)'
  if (code === 'EACCES' || code === 'EPERM') return 'check the permissions of this user there'
  if (code === 'ENOSPC') return 'free disk space'
  return undefined
}

/** Message of `pg` for a server without TLS. */
const withoutTls = 'The server does not support SSL connections'

function databaseStep({ message }: Error, state: string): string | undefined {
  // The error occurs before there is a session that could show its user.
  if (state === '42501' && message.startsWith('permission denied for database'))
    return 'GRANT CONNECT ON DATABASE … TO the user of --database-url (databaseUrl)'
  return databaseSteps[state] ?? databaseSteps[state.slice(0, 2)]
}

/** Step for a server without a free connection. */
function rejectedStep(cause: unknown): string | undefined {
  return sqlState(cause) === '53300' ? databaseSteps['53'] : undefined
}

/**
 * Path of a packaged file, relative to the current folder if possible: `docs/spam.md` in a clone,
 * `node_modules/mintmark/docs/spam.md` beside an installed package, else absolute.
 */
function packagePath(file: string): string {
  const path = join(import.meta.dirname, '../..', file)
  const near = relative(process.cwd(), path)
  return near.startsWith('../..') ? path : near
}
