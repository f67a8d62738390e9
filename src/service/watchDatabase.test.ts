import { expect, onTestFinished, test } from 'vitest'
import { DatabaseUnavailableError } from '../db/databaseError.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createLog } from '../util/log.ts'
import { watchDatabase } from './watchDatabase.ts'

type Line = { level: string; event: string; node?: string; reason?: string }

/** A watch of a database that returns these answers in order, then the last one repeatedly; with its log lines. */
function watching(...answers: (readonly string[] | Error)[]) {
  const lines: Line[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const log = createLog({ level: 'info', mask: (text) => text, destination })
  const metrics = createMetrics()
  const watch = watchDatabase({
    async request() {
      const next = answers.length > 1 ? answers.shift()! : answers[0]!
      if (next instanceof Error) throw next
      return next.map((name) => ({ name, reason: 'connection refused' }))
    },
    metrics,
    log,
  })
  onTestFinished(watch.close)
  const reported = () =>
    lines.map(({ level, event, node }) => [level, event, ...(node === undefined ? [] : [node])].join(' '))
  return { watch, metrics, reported }
}

const outage = new DatabaseUnavailableError('refused')

test('behavior: one broken connection is not an outage, and a non-database error triggers no check', async () => {
  const { watch, reported } = watching([])
  watch.observe(outage)
  watch.observe(new Error('syntax'))
  await watch.close()
  expect(reported()).toEqual([])
})

test('default: an unreachable database is reported once, and its recovery once', async () => {
  const { watch, reported } = watching(outage, outage, [])
  watch.observe(outage)
  watch.observe(outage)
  await expect.poll(reported).toEqual(['warn database unreachable', 'info database recovered'])
})

test('default: each unreachable cluster node and its recovery are reported once, even across an outage of the whole database', async () => {
  const { watch, reported, metrics } = watching(['a:1'], ['a:1', 'b:2'], outage, ['b:2'], ['b:2'], [])
  watch.observe(outage)
  await expect.poll(() => watch.unreachableNodes()).toEqual(['a:1'])
  expect((await metrics.unreachableDatabaseNodes.get()).values[0]!.value).toBe(1)
  await expect
    .poll(reported)
    .toEqual([
      'warn database node unreachable a:1',
      'warn database node unreachable b:2',
      'warn database unreachable',
      'info database recovered',
      'info database node recovered a:1',
      'info database node recovered b:2',
    ])
  expect(watch.unreachableNodes()).toEqual([])
  expect((await metrics.unreachableDatabaseNodes.get()).values[0]!.value).toBe(0)
})
