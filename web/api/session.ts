import { type ReadonlySignal, signal } from '@preact/signals'
import { get } from './apiCall.ts'
import { ApiFault } from './apiFault.ts'
import { sendCall } from './sendCall.ts'
import { withinLimit } from './withinLimit.ts'

/** What a key may do: `read` asks for records, `admin` does everything. */
export type Access = 'read' | 'admin'

export type SessionState =
  | { status: 'out'; reason: string | null }
  /** `fault`: why the server could not say yet what the key may do; it is asked again. */
  | { status: 'checking'; fault: string | null }
  | { status: 'in'; key: string; access: Access }

/** Who is signed in, in this tab alone. */
export type Session = {
  state: ReadonlySignal<SessionState>
  /**
   * Keeps the key for this tab, where a page that is loaded again finds it, and asks the server what it may do. A key that is refused ends the
   * session, with the reason; while the server does not answer it is asked again, until somebody signs out.
   */
  signIn(key: string): Promise<void>
  /** `reason`: what the page for signing in says. */
  signOut(reason?: string): void
}

export type SessionOptions = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  fetch?: typeof fetch
  /** Waits before the server is asked again. */
  pause?: (ms: number) => Promise<void>
}

const firstPauseMs = 1_000
const longestPauseMs = 30_000

const storageKey = 'mintmark.key'

/** Continues the session of this tab, if there is one. */
export function createSession({ storage, fetch: ask = fetch, pause = sleep }: SessionOptions): Session {
  const state = signal<SessionState>({ status: 'out', reason: null })
  /** Counts who signed in or out: an answer that comes later than the next of them is not wanted any more. */
  let turn = 0

  const session: Session = {
    state,
    async signIn(key) {
      const own = ++turn
      storage.setItem(storageKey, key)
      state.value = { status: 'checking', fault: null }
      for (let pauseMs = firstPauseMs; own === turn; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
        try {
          const { access } = await ownKey(key, ask)
          if (own !== turn) return
          state.value = { status: 'in', key, access }
          return
        } catch (error) {
          if (own !== turn) return
          if (!(error instanceof ApiFault) || isRefusal(error)) return session.signOut(messageOf(error))
          state.value = { status: 'checking', fault: error.message }
          await pause(Math.max(pauseMs, error.retryAfterMs ?? 0))
        }
      }
    },
    signOut(reason) {
      turn++
      storage.removeItem(storageKey)
      state.value = { status: 'out', reason: reason ?? null }
    },
  }

  const kept = storage.getItem(storageKey)
  if (kept) void session.signIn(kept)
  return session
}

/** The key is at fault; anything else is the server's, or that of the way to it, and passes. */
function isRefusal({ status }: ApiFault): boolean {
  return status === 401 || status === 403
}

function messageOf(error: unknown): string {
  return error instanceof ApiFault ? error.message : String(error)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function ownKey(key: string, ask: typeof fetch): Promise<{ access: Access }> {
  const call = get('/key', {})
  const answered = await withinLimit(call, (signal) => sendCall(call, { key, signal, fetch: ask }))
  if ('unchanged' in answered) throw new ApiFault('the server gave no answer', { status: 304 })
  return answered.data
}

/** The key of `#key=…`, as links that sign in carry it. It leaves the address and the history of the tab at once. */
export function takeKeyFromAddress(location: Location, history: History): string | undefined {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return key.trim() || undefined
}
