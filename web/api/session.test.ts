import { expect, onTestFinished, test, vi } from 'vitest'
import { createSession } from './session.ts'

type Answer = { status: number; body: unknown; headers?: Record<string, string> } | 'away'

/** A session with a server that returns these responses, then repeats the last. `waited`: pauses between retries. */
function setUp(answers: Answer[], kept: string | null = null) {
  const stored = new Map(kept === null ? [] : [['mintmark.session', kept]])
  const waited: number[] = []
  const requested: string[] = []
  let letGo = () => {}
  const session = createSession({
    storage: {
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, value) => stored.set(name, value),
      removeItem: (name) => stored.delete(name),
    },
    async fetch(target, init) {
      requested.push(`${init?.method} ${target} ${new Headers(init?.headers).get('x-api-key') ?? init?.body}`)
      // Nothing depends on this response.
      if (init?.method === 'DELETE') return Response.json({ ended: true })
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!
      if (answer === 'away') throw new TypeError('Failed to fetch')
      return new Response(JSON.stringify(answer.body), { status: answer.status, headers: answer.headers ?? {} })
    },
    pause(ms) {
      waited.push(ms)
      return waited.length < 4 ? Promise.resolve() : new Promise((resolve) => (letGo = resolve))
    },
  })
  return { session, stored, waited, requested, letGo: () => letGo() }
}

const admin = { status: 200, body: { access: 'admin', token: 'token' } }
const unreachable = { status: 503, body: { message: 'the database is unreachable' } }

test('behavior: a stored session survives an unreachable or starting server, and is checked with growing pauses', async () => {
  const slow = { ...unreachable, headers: { 'retry-after': '9' } }
  const { session, stored, waited } = setUp(['away', unreachable, slow, admin], 'kept')
  await expect.poll(() => session.state.value.status).toBe('in')
  expect(waited).toEqual([1_000, 2_000, 9_000])
  expect(stored.get('mintmark.session')).toBe('kept')
})

test('behavior: while the server is unreachable, the reason is shown, and signing out ends the session', async () => {
  const { session, stored, requested, letGo } = setUp([unreachable], 'kept')
  await expect.poll(() => session.state.value).toEqual({ status: 'checking', fault: 'the database is unreachable' })
  await expect.poll(() => requested.length).toBe(4)
  session.signOut()
  letGo()
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(session.state.value).toEqual({ status: 'out', reason: null })
  expect(stored.size).toBe(0)
  expect(requested).toEqual([...Array(4).fill('GET /key kept'), 'DELETE /session kept'])
})

test('behavior: only the session token is stored, and nothing before the server returns one', async () => {
  const { session, stored, requested, letGo } = setUp([unreachable, unreachable, unreachable, unreachable, admin])
  const done = session.signIn('given')
  await expect.poll(() => requested.length).toBe(4)
  expect(stored.size).toBe(0)
  letGo()
  await done
  expect(session.state.value).toEqual({ status: 'in', token: 'token', access: 'admin' })
  expect([...stored]).toEqual([['mintmark.session', 'token']])
  expect(new Set(requested)).toEqual(new Set(['POST /session given']))
})

test('behavior: the code of a link replaces a session only once the new one exists, and then ends the old one', async () => {
  const rejected = { status: 401, body: { message: 'already used' } }
  const again = { status: 200, body: { access: 'admin', token: 'second' } }
  const { session, stored, requested } = setUp([admin, rejected, again])
  await session.signIn('given')
  await expect(session.redeem('old')).rejects.toThrow('already used')
  expect(session.state.value).toMatchObject({ status: 'in', token: 'token' })
  await session.redeem('new')
  expect(session.state.value).toMatchObject({ status: 'in', token: 'second' })
  expect(stored.get('mintmark.session')).toBe('second')
  expect(requested.slice(1)).toEqual([
    'POST /session/code {"code":"old"}',
    'POST /session/code {"code":"new"}',
    'DELETE /session token',
  ])
})

test('error: a rejected code does not sign in, and the reason is shown', async () => {
  const { session } = setUp([{ status: 401, body: { message: 'already used' } }])
  await session.redeem('old')
  expect(session.state.value).toEqual({ status: 'out', reason: 'already used' })
})

test.each([413, 431])('error: a key that is too long is rejected and not retried: %i', async (status) => {
  const { session, waited } = setUp([{ status, body: { message: 'too long' } }])
  void session.signIn('x'.repeat(70_000))
  await expect.poll(() => session.state.value).not.toEqual({ status: 'checking', fault: null })
  expect(session.state.value).toEqual({ status: 'out', reason: 'too long' })
  expect(waited).toEqual([])
})

test('error: a rejected or invalid key ends the session with the reason', async () => {
  const { session, stored } = setUp([{ status: 401, body: { message: 'revoked' } }], 'kept')
  await expect.poll(() => session.state.value).toEqual({ status: 'out', reason: 'revoked' })
  expect(stored.size).toBe(0)
  await session.signIn('\u043a\u043b\u044e\u0447')
  const reason = 'the API key contains invalid characters'
  expect(session.state.value).toEqual({ status: 'out', reason })
})

test('behavior: of two concurrent sign-ins the second one counts, and the session of the first is ended', async () => {
  const { session, stored, requested } = setUp([
    { status: 200, body: { access: 'read', token: 'of the first' } },
    { status: 200, body: { access: 'admin', token: 'of the second' } },
  ])
  await Promise.all([session.signIn('first'), session.signIn('second')])
  expect(stored.get('mintmark.session')).toBe('of the second')
  expect(session.state.value).toMatchObject({ status: 'in', token: 'of the second' })
  expect(requested.slice(2)).toEqual(['DELETE /session of the first'])
})

test('behavior: a server without any response is reported after a minute, and requested again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const requested: AbortSignal[] = []
  const session = createSession({
    storage: { getItem: () => 'kept', setItem() {}, removeItem() {} },
    fetch: (_, init) =>
      new Promise((resolve, reject) => {
        requested.push(init!.signal!)
        if (requested.length > 1) resolve(Response.json({ access: 'admin' }))
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      }),
  })
  await vi.advanceTimersByTimeAsync(59_000)
  expect(session.state.value).toEqual({ status: 'checking', fault: null })
  await vi.advanceTimersByTimeAsync(1_000)
  const fault = 'the server did not respond within 60 seconds'
  expect(session.state.value).toEqual({ status: 'checking', fault })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(session.state.value).toMatchObject({ status: 'in', access: 'admin' })
  // No timer is left: no request is aborted, and none is sent.
  await vi.advanceTimersByTimeAsync(120_000)
  expect(requested.map(({ aborted }) => aborted)).toEqual([true, false])
})
