import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLog } from '../cli/context/openLog.ts'
import { MintmarkError } from './errors.ts'
import { createLog, endOf, type LogLevel } from './log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

class UnreachableError extends MintmarkError {
  readonly code = 'UNAVAILABLE'
  override readonly retryable = true
}

class NodeUnreachableError extends UnreachableError {
  override readonly outage = 'node'
}

function startLog({
  level = 'info',
  mask = (text: string) => text,
}: {
  level?: LogLevel
  mask?: (text: string) => string
} = {}) {
  const lines: string[] = []
  const log = createLog({ level, mask, destination: { write: (line) => void lines.push(line) } })
  const reported = () =>
    lines.splice(0).map((line) => {
      const { time, ...rest } = JSON.parse(line)
      expect(new Date(time).toISOString()).toBe(time)
      return rest
    })
  return { log, lines, reported }
}

/** The driver's error when a connection ends. It has properties that a log must not show. */
function driverError() {
  const client = { processID: 4711, secretKey: 815, connectionParameters: { password: 'hunter22' }, _types: { 16: {} } }
  return Object.assign(new Error('terminating connection due to administrator command'), {
    code: '57P01',
    client,
    length: 116,
    severity: 'FATAL',
    routine: 'ProcessInterrupts',
  })
}

test('default: logs type, code and message of an error and its causes, and no object of the driver', () => {
  const { log, reported } = startLog()
  log.warn({ err: driverError() }, 'one')
  log.warn({ err: new UnreachableError('the store is unreachable', { cause: driverError() }) }, 'two')
  const row = Object.assign(new Error('null value in column "id"'), {
    code: '23502',
    table: 'token',
    detail: 'Failing row contains (secret)',
  })
  log.error({ err: row }, 'three')
  expect(reported()).toEqual([
    {
      level: 'warn',
      event: 'one',
      err: { type: 'Error', code: '57P01', message: 'terminating connection due to administrator command' },
    },
    {
      level: 'warn',
      event: 'two',
      err: {
        type: 'UnreachableError',
        code: 'UNAVAILABLE',
        message: 'the store is unreachable: terminating connection due to administrator command',
      },
    },
    {
      level: 'error',
      event: 'three',
      err: {
        type: 'Error',
        code: '23502',
        table: 'token',
        message: 'null value in column "id"',
        stack: expect.any(String),
      },
    },
  ])
})

test('behavior: only an unexpected error is logged with its stack', () => {
  const { log, reported } = startLog()
  const rejected = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })
  const wrong = new TypeError('x is not a function')
  class LastingError extends MintmarkError {
    readonly code = 'CONFLICT'
  }
  for (const [i, err] of [
    rejected,
    new TypeError('fetch failed', { cause: rejected }),
    new LastingError('the node serves another chain'),
    wrong,
    Object.assign(new Error('bad argument'), { code: 'ERR_INVALID_ARG_TYPE' }),
    new LastingError('a stream cannot be matched', { cause: wrong }),
  ].entries())
    log.error({ err }, `event ${i}`)
  expect(reported().map(({ err }) => 'stack' in err)).toEqual([false, false, false, true, true, true])
})

test('behavior: a repeated error is counted, logged once a minute, and its end is logged once', () => {
  const { log, reported } = startLog()
  const fail = (block: number) =>
    log.warn(
      { loop: 'retention', err: new UnreachableError(`block ${block} is not there`), failures: block },
      'loop failed',
    )
  for (let i = 1; i <= 58; i++) fail(i)
  log.warn({ loop: 'other', err: new UnreachableError('block 1 is not there') }, 'loop failed')
  log.warn({ loop: 'retention', err: new UnreachableError('something else') }, 'loop failed')
  expect(reported().map(({ loop, err }) => [loop, err.message])).toEqual([
    ['retention', 'block 1 is not there'],
    ['other', 'block 1 is not there'],
    ['retention', 'something else'],
  ])
  vi.advanceTimersByTime(60_000)
  expect(reported()).toEqual([
    {
      level: 'warn',
      event: 'loop failed',
      loop: 'retention',
      failures: 58,
      more: 57,
      seconds: 60,
      err: { type: 'UnreachableError', code: 'UNAVAILABLE', message: 'block 58 is not there' },
    },
  ])
  fail(59)
  expect(reported()).toEqual([])
  log.flush()
  expect(reported()).toMatchObject([{ more: 1 }])
  for (let i = 0; i < 3; i++) log.info({ loop: 'retention', failures: i }, 'loop recovered')
  expect(reported()).toHaveLength(1)
  vi.advanceTimersByTime(60_000)
  expect(reported()).toMatchObject([{ event: 'loop recovered', more: 2 }])
  vi.advanceTimersByTime(600_000)
  expect(reported()).toEqual([])
})

test('behavior: the last line of a flapping state says whether it lasts', () => {
  const { log, reported } = startLog()
  const events = () => reported().map(({ event, more }) => [event, more])
  const about = { chain: 'eth', loop: 'follow' }
  for (let i = 1; i <= 30; i++)
    log.warn({ ...about, err: new UnreachableError(`no block ${i}`), failures: i }, 'loop failed')
  vi.advanceTimersByTime(20_000)
  log.info({ ...about, failures: 30 }, 'loop recovered')
  expect(events()).toEqual([
    ['loop failed', undefined],
    ['loop failed', 29],
    ['loop recovered', undefined],
  ])
  vi.advanceTimersByTime(600_000)
  expect(events()).toEqual([])

  const node = { chain: 'eth', endpoint: '127.0.0.1:8545' }
  for (let i = 0; i < 4; i++) {
    log.warn({ ...node, class: 'unreachable', detail: `no answer ${i}` }, 'rpc endpoint unreachable')
    log.info({ ...node, failures: i }, 'rpc endpoint recovered')
    log.warn({ waitingFor: ['database'] }, 'not ready')
    log.info({}, 'ready')
    vi.advanceTimersByTime(10_000)
  }
  expect(events()).toEqual([
    ['rpc endpoint unreachable', undefined],
    ['rpc endpoint recovered', undefined],
    ['not ready', undefined],
    ['ready', undefined],
  ])
  vi.advanceTimersByTime(20_000)
  expect(events()).toEqual([
    ['rpc endpoint unreachable', 3],
    ['rpc endpoint recovered', 3],
    ['not ready', 3],
    ['ready', 3],
  ])
})

test('default: docs/operations.md lists every logged state with its end', async () => {
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const states = /\| begins \| ends .*?\n\n/s.exec(page)![0]
  const rows = [...states.matchAll(/^\| (`.+?) \| (`.+?) \|/gm)].flatMap(([, begins, ends]) => {
    const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
    return names(begins!).map((name, i) => [name, names(ends!)[i]])
  })
  expect(Object.fromEntries(rows)).toEqual(endOf)
})

test('behavior: an event that is not an error is never counted, nor is a failed request, which has an id', () => {
  const { log, reported } = startLog()
  for (let i = 0; i < 3; i++) log.info({ chain: 'eth', collection: '0x1' }, 'collection synced')
  for (let i = 0; i < 3; i++) log.error({ requestId: `id-${i}`, err: new TypeError('oops') }, 'request failed')
  expect(reported()).toHaveLength(6)
})

test('behavior: an error caused by an unreachable node or database is logged only at level debug', () => {
  const err = new NodeUnreachableError('no answer')
  const quiet = startLog()
  quiet.log.error({ err }, 'loop failed')
  quiet.log.warn({ err: new UnreachableError('history stops', { cause: err }) }, 'collection indexing failed')
  expect(quiet.reported()).toEqual([])
  const loud = startLog({ level: 'debug' })
  loud.log.error({ err }, 'loop failed')
  expect(loud.reported()).toMatchObject([{ level: 'debug', event: 'loop failed' }])
})

test('behavior: no log line exceeds 4 kB, and secrets are masked before text is cut', () => {
  const secret = 'k'.repeat(40)
  const { log, lines } = startLog({ mask: (text) => text.replaceAll(secret, '***') })
  const long = 'x"\n'.repeat(30_000)
  const err = Object.assign(new TypeError(long, { cause: new Error(long) }), { hint: long, table: long })
  const deep: unknown = { a: { b: { c: { d: { e: long } } } } }
  log.error({ err, detail: long, list: Array(1_000).fill(long), deep, number: 1n }, 'too much')
  log.error({ detail: `${'y'.repeat(980)}${secret}` }, 'at the edge')
  expect(lines.length).toBe(2)
  for (const line of lines) {
    expect(line.length).toBeLessThan(4_096)
    expect(() => JSON.parse(line)).not.toThrow()
    expect(line).not.toContain('kkkk')
  }
})

test('default: logs readable text on a terminal, one JSON object per line elsewhere, and no control characters', async () => {
  const report = async (isTTY: boolean, colours = false) => {
    const output: string[] = []
    const stderr = { isTTY, hasColors: () => colours, write: (line: string) => output.push(line) > 0 }
    const log = await openLog({
      level: 'info',
      mask: (all) => all.replaceAll('hunter22', '***'),
      stderr: stderr as never,
    })
    log.info({ chain: 'eth', detail: '\u001b[2Jhunter22\u202e\u009b31m' }, 'rpc endpoint recovered')
    return output.join('')
  }
  const text = await report(true)
  expect(text).toMatch(
    /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: rpc endpoint recovered \{"chain":"eth","detail":"\[2J\*\*\*31m"\}\n$/,
  )
  expect(await report(true, true)).toContain('\u001b[')
})

test('default: logs JSON to standard error if it is not a terminal', async () => {
  const stderr = { isTTY: false, write: () => true }
  await expect(openLog({ level: 'silent', mask: (text) => text, stderr: stderr as never })).resolves.toHaveProperty(
    'flush',
  )
})
