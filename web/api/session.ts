import { type ReadonlySignal, signal } from '@preact/signals'
import { type ApiCall, get, post, remove } from './apiCall.ts'
import { ApiFault } from './apiFault.ts'
import { sendCall } from './sendCall.ts'
import type { TabStorage } from './tabStorage.ts'
import { withinLimit } from './withinLimit.ts'

/** Access of a key: `read` requests records, `admin` does everything. */
export type Access = 'read' | 'admin'

export type SessionState =
  | { status: 'out'; reason: string | null }
  /** `fault`: why the server did not return the key's access yet; the request is retried. */
  | { status: 'checking'; fault: string | null }
  | { status: 'in'; token: string; access: Access }

/** The session of this tab. Browsers write session storage to disk, so it contains a session token and never a key. */
export type Session = {
  state: ReadonlySignal<SessionState>
  /**
   * Starts a session with a key. A rejected key signs out, with the reason. While the server does not respond, the request is retried until
   * the user signs out.
   */
  signIn(key: string): Promise<void>
  /**
   * Starts a session with the one-time code of a link. A signed-in user's session ends once the new one exists. If
   * that fails, it stays and this throws ApiFault.
   */
  redeem(code: string): Promise<void>
  /** Ends the session. `reason`: why the server rejected it, for the sign-in page. */
  signOut(reason?: string): void
}

export type SessionOptions = {
  storage: TabStorage
  fetch?: typeof fetch
  /** Waits before a retry. */
  pause?: (ms: number) => Promise<void>
}

const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** 413 and 431: the key or the code is too long for a request. */
const rejections = new Set([400, 401, 403, 413, 431])

const storageKey = 'mintmark.session'

type Opened = { token: string; access: Access }

/** Continues the session of this tab, if there is one. */
export function createSession({ storage, fetch: request = fetch, pause = sleep }: SessionOptions): Session {
  const state = signal<SessionState>({ status: 'out', reason: null })
  /** Counts sign-ins and sign-outs: a response to an earlier one is ignored. */
  let generation = 0

  /** Sends a request with a key, a token or an empty string. */
  async function send<T>(call: ApiCall<T>, key: string): Promise<T> {
    const answered = await withinLimit(call, (signal) => sendCall(call, { key, signal, fetch: request }))
    if ('unchanged' in answered) throw new ApiFault('the server did not respond', { status: 304 })
    return answered.data
  }

  function begin({ token, access }: Opened): void {
    storage.setItem(storageKey, token)
    state.value = { status: 'in', token, access }
  }

  /** The server expires unused sessions, so errors are ignored. */
  function end(token: string): void {
    send(remove('/session', {}), token).catch(() => undefined)
  }

  /** Signs in with the result of `open`, and retries while the server does not respond. */
  async function enter(open: () => Promise<Opened>): Promise<void> {
    const own = ++generation
    state.value = { status: 'checking', fault: null }
    for (let pauseMs = firstPauseMs; own === generation; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      try {
        const opened = await open()
        // A session that arrives too late would stay open.
        if (own === generation) begin(opened)
        else end(opened.token)
        return
      } catch (error) {
        if (own !== generation) return
        if (!(error instanceof ApiFault) || isRejection(error)) return endSession(messageOf(error))
        state.value = { status: 'checking', fault: error.message }
        await pause(Math.max(pauseMs, error.retryAfterMs ?? 0))
      }
    }
  }

  function endSession(reason: string | null): void {
    generation++
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
      const own = ++generation
      const opened = await redeemed(code)
      if (own !== generation) return end(opened.token)
      begin(opened)
      end(before.token)
    },
    signOut(reason) {
      const token = storage.getItem(storageKey)
      endSession(reason ?? null)
      if (token !== null && reason === undefined) end(token)
    },
  }
}

/** Whether the server rejected the key, the code or the session. Other errors are temporary. */
function isRejection({ status }: ApiFault): boolean {
  return rejections.has(status)
}

function messageOf(error: unknown): string {
  return error instanceof ApiFault ? error.message : String(error)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** What follows the `#` of a link: the one-time code of `#code=…`, or a key, which older links had and which is ignored. */
export type LinkedSignIn = { code: string } | 'key'

/** Removes the code or key from the address and the tab's history, and returns it. */
export function takeFromAddress(location: Location, history: History): LinkedSignIn | undefined {
  const carried = new URLSearchParams(location.hash.slice(1))
  const code = carried.get('code')?.trim()
  if (!carried.has('code') && !carried.has('key')) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  if (code) return { code }
  return carried.has('key') ? 'key' : undefined
}
