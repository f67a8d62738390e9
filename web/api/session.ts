import { type ReadonlySignal, signal } from '@preact/signals'
import { type ApiCall, get, post, remove } from './apiCall.ts'
import { ApiFault } from './apiFault.ts'
import { sendCall } from './sendCall.ts'
import { withinLimit } from './withinLimit.ts'

/** What a key may do: `read` requests records, `admin` does everything. */
export type Access = 'read' | 'admin'

export type SessionState =
  | { status: 'out'; reason: string | null }
  /** `fault`: why the server did not return the key's access yet; the request is retried. */
  | { status: 'checking'; fault: string | null }
  | { status: 'in'; token: string; access: Access }

/** Who is signed in, in this tab alone. Browsers write what a tab stores to the disk, so it has the token of a session, and never a key. */
export type Session = {
  state: ReadonlySignal<SessionState>
  /**
   * Begins a session with a key. A key that is refused leaves nobody signed in, with the reason; while the server does not respond the request is
   * repeated, until the user signs out.
   */
  signIn(key: string): Promise<void>
  /**
   * Begins a session with the one-time code of a link. If somebody is signed in, their session ends once the new one is there; throws ApiFault, and
   * they stay, where there is none.
   */
  redeem(code: string): Promise<void>
  /** Ends the session. `reason`: what the page for signing in says; the server refused the session. */
  signOut(reason?: string): void
}

export type SessionOptions = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  fetch?: typeof fetch
  /** Waits before the server is queried again. */
  pause?: (ms: number) => Promise<void>
}

const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** The last two: no request can be as long as the key or the code. */
const rejections = new Set([400, 401, 403, 413, 431])

const storageKey = 'mintmark.session'

type Opened = { token: string; access: Access }

/** Continues the session of this tab, if there is one. */
export function createSession({ storage, fetch: ask = fetch, pause = sleep }: SessionOptions): Session {
  const state = signal<SessionState>({ status: 'out', reason: null })
  /** Counts who signed in or out: an answer that comes later than the next of them is not wanted any more. */
  let turn = 0

  /** Queries the server with a key, with a token, or with none. */
  async function send<T>(call: ApiCall<T>, key: string): Promise<T> {
    const answered = await withinLimit(call, (signal) => sendCall(call, { key, signal, fetch: ask }))
    if ('unchanged' in answered) throw new ApiFault('the server did not respond', { status: 304 })
    return answered.data
  }

  function begin({ token, access }: Opened): void {
    storage.setItem(storageKey, token)
    state.value = { status: 'in', token, access }
  }

  /** The server forgets a session that nobody uses, so nothing depends on its answer. */
  function end(token: string): void {
    send(remove('/session', {}), token).catch(() => undefined)
  }

  /** Signs in with the result of `open`, and retries while the server does not respond. */
  async function enter(open: () => Promise<Opened>): Promise<void> {
    const own = ++turn
    state.value = { status: 'checking', fault: null }
    for (let pauseMs = firstPauseMs; own === turn; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      try {
        const opened = await open()
        // Nobody else would end a session that came too late.
        if (own === turn) begin(opened)
        else end(opened.token)
        return
      } catch (error) {
        if (own !== turn) return
        if (!(error instanceof ApiFault) || isRejection(error)) return leave(messageOf(error))
        state.value = { status: 'checking', fault: error.message }
        await pause(Math.max(pauseMs, error.retryAfterMs ?? 0))
      }
    }
  }

  function leave(reason: string | null): void {
    turn++
    storage.removeItem(storageKey)
    state.value = { status: 'out', reason }
  }

  const redeemed = (code: string) => send(post('/session/code', {}, { code }), '')
  const kept = storage.getItem(storageKey)
  if (kept) void enter(async () => ({ token: kept, access: (await send(get('/key', {}), kept)).access }))

  return {
    state,
    signIn: (key) => enter(() => send(post('/session', {}, undefined), key)),
    async redeem(code) {
      const before = state.value
      if (before.status !== 'in') return enter(() => redeemed(code))
      const own = ++turn
      const opened = await redeemed(code)
      if (own !== turn) return end(opened.token)
      begin(opened)
      end(before.token)
    },
    signOut(reason) {
      const token = storage.getItem(storageKey)
      leave(reason ?? null)
      if (token !== null && reason === undefined) end(token)
    },
  }
}

/** Whether the server rejected the key, the code or the session. Any other error is of the server or the network, and passes. */
function isRejection({ status }: ApiFault): boolean {
  return rejections.has(status)
}

function messageOf(error: unknown): string {
  return error instanceof ApiFault ? error.message : String(error)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** What a link carries behind the `#` of its address: the one-time code of `#code=…`, or a key, which links had before and is not used. */
export type LinkedSignIn = { code: string } | 'key'

/** Takes what a link carries out of the address and out of the history of the tab. */
export function takeFromAddress(location: Location, history: History): LinkedSignIn | undefined {
  const carried = new URLSearchParams(location.hash.slice(1))
  const code = carried.get('code')?.trim()
  if (!carried.has('code') && !carried.has('key')) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  if (code) return { code }
  return carried.has('key') ? 'key' : undefined
}
