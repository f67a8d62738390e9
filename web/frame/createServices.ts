import { computed, effect, signal } from '@preact/signals'
import type { ApiCall } from '../api/apiCall.ts'
import { ApiFault } from '../api/apiFault.ts'
import { createPoller } from '../api/poller.ts'
import { type Answered, openCall, sendCall } from '../api/sendCall.ts'
import { createSession, takeFromAddress } from '../api/session.ts'
import { tabStorage } from '../api/tabStorage.ts'
import { withinLimit } from '../api/withinLimit.ts'
import { createRouter } from '../context/router.ts'
import type { Services } from '../context/services.ts'
import { createShownCalls } from '../context/shownCalls.ts'
import { createToasts } from '../context/toasts.ts'

/** Creates the services that the console's components share. */
export function createServices(window: Window): Services {
  const session = createSession({ storage: tabStorage(window) })
  const toasts = createToasts()
  const linkedCode = signal<string | null>(null)

  function followLink(): void {
    const linked = takeFromAddress(window.location, window.history)
    if (linked === 'key')
      toasts.failed('The key in the link was ignored, as browsers store addresses on disk. Sign in with the key.')
    else if (linked) linkedCode.value = linked.code
  }

  followLink()
  // A link opened in a tab that already shows the console loads no page.
  window.addEventListener('hashchange', followLink)
  // A signed-in tab prompts before its session ends (LinkedSignIn).
  effect(() => {
    const code = linkedCode.value
    if (code === null || session.state.value.status !== 'out') return
    linkedCode.value = null
    void session.redeem(code)
  })

  /** Ends the session if the server rejects it. */
  async function keyed<Answer>(request: (token: string) => Promise<Answer>): Promise<Answer> {
    const { value } = session.state
    if (value.status !== 'in') throw new ApiFault('not signed in', { status: 401 })
    try {
      return await request(value.token)
    } catch (error) {
      // Another session may have begun meanwhile.
      if (error instanceof ApiFault && error.status === 401 && session.state.value === value) {
        // The user has not answered the prompt of a link yet.
        linkedCode.value = null
        session.signOut(error.message)
      }
      throw error
    }
  }

  const sendKeyed = <T>(call: ApiCall<T>, options: { etag?: string | null; signal?: AbortSignal }) =>
    keyed((key) => sendCall(call, { ...options, key }))

  const poller = createPoller({ send: sendKeyed, visible: window.document.visibilityState === 'visible' })
  window.document.addEventListener('visibilitychange', () =>
    poller.setVisible(window.document.visibilityState === 'visible'),
  )

  return {
    session,
    poller,
    router: createRouter(window),
    toasts,
    linkedCode,
    shown: createShownCalls(),
    access: computed(() => (session.state.value.status === 'in' ? session.state.value.access : 'read')),
    send: async (call) => (await withinLimit(call, (signal) => sendKeyed(call, { signal }))) as Answered<never>,
    open: (call, signal) => keyed((key) => openCall(call, { key, signal })),
    origin: window.location.origin,
  }
}
