import type { ReadonlySignal, Signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ApiCall } from '../api/apiCall.ts'
import type { Poller } from '../api/poller.ts'
import type { Answered } from '../api/sendCall.ts'
import type { Access, Session } from '../api/session.ts'
import type { Router } from './router.ts'
import type { Toasts } from './toasts.ts'

/** Services for every part of the console. */
export type Services = {
  session: Session
  poller: Poller
  router: Router
  toasts: Toasts
  /** The one-time code of a link that was opened in a signed-in tab; null: none. */
  linkedCode: Signal<string | null>
  /** Access of this session's key. */
  access: ReadonlySignal<Access>
  /** Sends one request. Throws ApiFault, also after a minute without a response. A 401 ends the session. */
  send<T>(call: ApiCall<T>): Promise<Answered<T>>
  /** The same for a file, without a timeout. */
  open(call: ApiCall<unknown>, signal: AbortSignal): Promise<Response>
  /** Requests of the view that is shown, for `As curl`. */
  shown: ShownCalls
  /** Origin of the server, such as http://127.0.0.1:8080. */
  origin: string
}

/** The requests of the mounted view. */
export type ShownCalls = {
  calls: ReadonlySignal<readonly ApiCall<unknown>[]>
  /** Shows the request until the returned function is called. */
  add(call: ApiCall<unknown>): () => void
}

export const ServicesContext = createContext<Services | null>(null)

export function useServices(): Services {
  const services = useContext(ServicesContext)
  if (!services) throw new TypeError('a part of the console is outside of its frame')
  return services
}
