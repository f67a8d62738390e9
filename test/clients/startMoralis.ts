import axios from 'axios'
import Moralis from 'moralis'
import { testApiKey } from '../mintmark.ts'
import { routeMoralis } from './examples/routeMoralis.ts'

export type StartedMoralis = {
  /** Every request that the package sent, including retries. */
  requests: { method: string; address: URL; params: Record<string, unknown> }[]
  /** Adds query parameters that the package does not declare, until disposed. */
  addParams(params: Record<string, unknown>): Disposable
}

const evmApiBaseUrl = 'http://mintmark.test/api'

/** The published client in this process, pointed at a server. The first file of a process starts it; later files only change the server. */
export async function startMoralis({
  url,
  version = 'v2',
}: {
  url: string
  version?: 'v2' | 'v2.2'
}): Promise<StartedMoralis> {
  const requests: StartedMoralis['requests'] = []
  axios.defaults.proxy = false
  axios.interceptors.request.clear()
  // Interceptors run last in, first out. This one sees the final request, and lets nothing leave this machine.
  axios.interceptors.request.use((request) => {
    const address = axios.getUri(request)
    if (!address.startsWith(`${url}/`)) throw new Error(`${address} is not the server of this test`)
    requests.push({ method: request.method ?? 'get', address: new URL(address), params: request.params })
    return request
  })
  routeMoralis(url)
  // The package keeps the first address with which it is started.
  axios.interceptors.request.use((request) => {
    const route = (part = '') => part.replace(evmApiBaseUrl, `${url}/api/${version}`)
    // Some operations set the whole address, others a base and a path.
    request.url = route(request.url)
    request.baseURL = route(request.baseURL)
    return request
  })
  if (Moralis.Core.isStarted) Moralis.Core.config.set('apiKey', testApiKey)
  else await Moralis.start({ apiKey: testApiKey, evmApiBaseUrl })
  return {
    requests,
    addParams(params) {
      const added = axios.interceptors.request.use((request) => {
        request.params = { ...request.params, ...params }
        return request
      })
      return { [Symbol.dispose]: () => axios.interceptors.request.eject(added) }
    },
  }
}
