import { startEmbeddedPostgres } from '../src/db/embedded/startEmbeddedPostgres.ts'
import { MintmarkError } from '../src/util/errors.ts'
import { noopLog } from '../src/util/log.ts'

/**
 * The database part of a service. It starts PostgreSQL on the data folder given as argument and prints one line of JSON:
 * `{ connection }` or `{ code, message }`. On SIGTERM, it stops PostgreSQL.
 * It ignores SIGINT, so that a test can send one to the whole group. On SIGUSR2, it exits without stopping PostgreSQL.
 */
process.once('SIGUSR2', () => process.exit(1))
process.on('SIGINT', () => undefined)
try {
  const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: noopLog })
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
  process.stdout.write(`${JSON.stringify({ connection: server.connection })}\n`)
} catch (error) {
  if (!(error instanceof MintmarkError)) throw error
  process.stdout.write(`${JSON.stringify({ code: error.code, message: error.message })}\n`)
}
