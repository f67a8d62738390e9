import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiCall } from '../api/apiCall.ts'
import { ApiFault } from '../api/apiFault.ts'
import { useServices } from './services.ts'

export type Sending = {
  /** A request is in progress: its controls are disabled. */
  busy: boolean
  /** The server's message about the last error. */
  fault: string | null
  /** Sends a request. undefined: it failed, see `fault`. `failed` gets the same message. */
  send<T>(call: ApiCall<T>, failed?: (message: string) => void): Promise<T | undefined>
}

/** For forms and buttons that change something. */
export function useSend(): Sending {
  const services = useServices()
  const [state, setState] = useState<{ busy: boolean; fault: string | null }>({ busy: false, fault: null })
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  const report = (busy: boolean, fault: string | null) => {
    if (isMounted.current) setState({ busy, fault })
  }
  return {
    ...state,
    async send(call, failed) {
      report(true, null)
      try {
        const { data } = await services.send(call)
        report(false, null)
        return data
      } catch (error) {
        const message = error instanceof ApiFault ? error.message : String(error)
        report(false, message)
        failed?.(message)
        return undefined
      }
    },
  }
}
