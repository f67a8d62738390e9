import axios, { type InternalAxiosRequestConfig } from 'axios'
import Moralis from 'moralis'
import { testApiKey } from '../mintmark.ts'
import { routeMoralis } from './routeMoralis.ts'

export type StartedMoralis = {
  /** Every request that the package made, as it went out; its retries too. */
  requests: InternalAxiosRequestConfig[]
  /** Adds query parameters that the package has no name for, until it is disposed of. */
  addParams(params: Record<string, unknown>): Disposable
}

/** The published client in this process, pointed at a server; once a process, as its `start` can be called once. */
export async function startMoralis({ url }: { url: string }): Promise<StartedMoralis> {
  const requests: InternalAxiosRequestConfig[] = []
  axios.defaults.proxy = false
  // Interceptors run last in, first out: this one sees what goes out, and lets nothing leave this machine.
  axios.interceptors.request.use((request) => {
    if (!request.url?.startsWith(`${url}/`)) throw new Error(`${request.url} is not the server of this test`)
    requests.push(request)
    return request
  })
  routeMoralis(url)
  await Moralis.start({ apiKey: testApiKey, evmApiBaseUrl: `${url}/api/v2` })
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
