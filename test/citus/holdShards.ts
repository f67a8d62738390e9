import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { sessionSettings } from '../../src/db/database.ts'
import { createTestDatabase } from '../database.ts'
import { onCluster } from '../onCluster.ts'
import { mayFanOut } from './mayFanOut.ts'

/** A Mintmark statement at its first run, and the function that requested it, as `file function`. */
type Statement = { asker: string; text: string; values: unknown[] }

const held = Symbol.for('mintmark.heldStatements')

/** Global in a vitest worker: each test file loads a copy of this module, and only the first copy checks statements. */
const worker = globalThis as { [held]?: { texts: Set<string>; statements: Statement[]; database?: pg.ClientConfig } }

/** These need all rows of both sides: all of a collection, or all streams. */
const mayCopy = new Set([
  'src/nft/verify/countWalletFaults.ts count',
  'src/stream/ledger/answers/readStats.ts readAllStats',
])

/** Marks a statement as meant for one shard, whatever else its function does. */
const namesPartition = /\bpartition = \d+\b/g

/** Statements that Citus plans. Scripts and settings are skipped. */
const planned = /^\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE)\b/

function note(config: unknown, values: unknown): void {
  const { text, values: own = values ?? [] } =
    typeof config === 'string' ? { text: config } : (config as pg.QueryConfig)
  const { texts, statements } = worker[held]!
  if (typeof text !== 'string' || !planned.test(text)) return
  const form = text.replaceAll(namesPartition, 'partition = N')
  if (texts.has(form)) return
  const asker = askerOf(new Error('for its stack').stack ?? '')
  if (asker === undefined) return
  texts.add(form)
  statements.push({ asker, text, values: own as unknown[] })
}

/** undefined: a test requested it, or the caller is unknown. */
function askerOf(stack: string): string | undefined {
  const frames = stack.split('\n').flatMap((line) => {
    const found = /at (?:async )?(?:(\S+) \()?.*\/((?:src|test|bench)\/[^?:]+\.ts)/.exec(line)
    return found ? [{ name: (found[1] ?? '').replace(/^.*\./, ''), file: found[2]! }] : []
  })
  const asker = frames.find(
    ({ file }) => !/^src\/db\/(?:database|pipeline\/\w+)\.ts$|^test\/citus\/holdShards\.ts$/.test(file),
  )
  if (!asker?.file.startsWith('src/') || asker.file.endsWith('.test.ts')) return undefined
  return `${asker.file} ${asker.name}`.trim()
}

/**
 * How Citus plans a statement: the number of its shards, without its subqueries, and whether it reads whole tables, as they are outer joined with rows
 * of another node; undefined if EXPLAIN fails.
 */
async function planOf(client: pg.Client, { text, values }: Statement) {
  const notices: string[] = []
  const keep = ({ message }: { message?: string | undefined }) => notices.push(message ?? '')
  client.on('notice', keep)
  try {
    const { rows } = await client.query({ text: `EXPLAIN (FORMAT JSON, COSTS OFF) ${text}`, values, rowMode: 'array' })
    const counts = [...JSON.stringify(rows).matchAll(/"Task Count\\?":\s*(\d+)/g)].map(([, count]) => Number(count))
    return { tasks: Math.max(0, ...counts), readsAll: notices.some((message) => message.includes('recurring rel')) }
  } catch {
    // If Citus rejects a statement, the test that runs it fails anyway. Statements that copy rows run, but Citus cannot explain them.
    return undefined
  } finally {
    client.off('notice', keep)
  }
}

// Only in the first copy in a worker.
if (onCluster && !worker[held]) {
  worker[held] = { texts: new Set(), statements: [] }
  for (const prototype of [pg.Client.prototype, pg.Pool.prototype] as { query: (...given: unknown[]) => unknown }[]) {
    const { query } = prototype
    prototype.query = function (...given) {
      note(given[0], given[1])
      return query.apply(this, given)
    }
  }
}

afterAll(async () => {
  const statements = worker[held]?.statements ?? []
  if (statements.length === 0) return
  worker[held]!.database ??= (await createTestDatabase({ poolSize: 1 })).connection
  const client = new pg.Client(worker[held]!.database)
  await client.connect()
  await client.query(sessionSettings)
  // Citus sends notices about the way it plans joins.
  await client.query('SET client_min_messages = debug1')
  const allowed = new Set(mayFanOut.flatMap(({ of }) => of))
  const unlisted: string[] = []
  const readingAll: string[] = []
  for (const statement of statements.splice(0)) {
    const plan = await planOf(client, statement)
    const mayRun = allowed.has(statement.asker) && statement.text.search(namesPartition) < 0
    if (plan && plan.tasks > 1 && !mayRun) unlisted.push(`${statement.asker} (${plan.tasks} shards): ${statement.text}`)
    if (plan?.readsAll && !mayCopy.has(statement.asker)) readingAll.push(`${statement.asker}: ${statement.text}`)
  }
  await client.end()
  expect(unlisted, 'statements that run on several shards and are not listed in test/citus/mayFanOut.ts').toEqual([])
  expect(readingAll, 'statements for which Citus copies whole tables: join them in a CTE first').toEqual([])
})
