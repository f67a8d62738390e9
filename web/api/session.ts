import { type ReadonlySignal, signal } from '@preact/signals'
import { get } from './apiCall.ts'
import { ApiFault } from './apiFault.ts'
import { sendCall } from './sendCall.ts'

/** What a key may do: `read` asks for records, `admin` does everything. */
export type Access = 'read' | 'admin'

export type SessionState =
  | { status: 'out'; reason: string | null }
  | { status: 'checking' }
  | { status: 'in'; key: string; access: Access }

/** Who is signed in, in this tab alone. */
export type Session = {
  state: ReadonlySignal<SessionState>
  /** Asks the server what the key may do, then keeps it for this tab. A key that is refused ends the session, with the reason. */
  signIn(key: string): Promise<void>
  /** `reason`: what the page for signing in says. */
  signOut(reason?: string): void
}

export type SessionOptions = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  fetch?: typeof fetch
}

const storageKey = 'mintmark.key'

/** Continues the session of this tab, if there is one. */
export function createSession({ storage, fetch: ask = fetch }: SessionOptions): Session {
  const state = signal<SessionState>({ status: 'out', reason: null })

  const session: Session = {
    state,
    async signIn(key) {
      state.value = { status: 'checking' }
      try {
        const { access } = await ownKey(key, ask)
        storage.setItem(storageKey, key)
        state.value = { status: 'in', key, access }
      } catch (error) {
        session.signOut(error instanceof ApiFault ? error.message : String(error))
      }
    },
    signOut(reason) {
      storage.removeItem(storageKey)
      state.value = { status: 'out', reason: reason ?? null }
    },
  }

  const kept = storage.getItem(storageKey)
  if (kept) void session.signIn(kept)
  return session
}

async function ownKey(key: string, ask: typeof fetch): Promise<{ access: Access }> {
  const answered = await sendCall(get('/key', {}), { key, fetch: ask })
  if (answered === 'unchanged') throw new ApiFault('the server gave no answer', { status: 304 })
  return answered.data
}

/** The key of `#key=…`, as links that sign in carry it. It leaves the address and the history of the tab at once. */
export function takeKeyFromAddress(location: Location, history: History): string | undefined {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return key.trim() || undefined
}
