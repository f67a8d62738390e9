import { startEmbeddedPostgres } from '../src/db/embedded/startEmbeddedPostgres.ts'
import { MintmarkError } from '../src/util/errors.ts'
import { silentLog } from '../src/util/log.ts'

/**
 * A service as far as its database goes: starts it on the data folder that is the argument, prints one line of JSON
 * (`{ connection }` or `{ code, message }`), and stops it on SIGTERM. It outlives SIGINT, so that a test can send one to
 * the whole group, and exits on SIGUSR2 without stopping it.
 */
process.once('SIGUSR2', () => process.exit(1))
process.on('SIGINT', () => undefined)
try {
  const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: silentLog })
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
  process.stdout.write(`${JSON.stringify({ connection: server.connection })}\n`)
} catch (error) {
  if (!(error instanceof MintmarkError)) throw error
  process.stdout.write(`${JSON.stringify({ code: error.code, message: error.message })}\n`)
}
