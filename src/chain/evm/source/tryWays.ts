import type { Answer, Rpc } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'

/** One way to request data. */
export type Way<T> = {
  method: string
  /** Queries a node; those in `avoid` only if no other is left. */
  request(avoid: ReadonlySet<string>): Promise<Answer<unknown>>
  /** The result in the answer, or the reason why it is invalid. */
  read(result: unknown): T | string
}

export type Tries = {
  attempts: number
  /** Endpoints to query last. Each one that answered or failed is added. */
  avoid: Set<string>
  /** The reason of each invalid answer, and each RpcError, is added. */
  reasons: unknown[]
  /** Called for each invalid answer. */
  onWrong(): void
  /** Called with the reason of each invalid answer: see `Rpc.judge`. */
  judge: Rpc['judge']
  /** Whether an error ends this way, as other nodes would return it too. May throw an error that no other node or way avoids. */
  isRejection(fault: RpcError): boolean
}

/** Rejections of a method that a node does not support, or not with these parameters or this key: a retry is useless. */
export const notOffered: ReadonlySet<string> = new Set([
  'method_missing',
  'method_disabled',
  'invalid_params',
  'unauthorized',
  'archive_paywall',
  'not_traceable',
])

/**
 * Valid answers by one way, one at a time as the caller requests them, preferably from endpoints not queried before. Ends when the attempts are used
 * up or, with `rejected`, at a rejection.
 */
export async function* tryWay<T>(way: Way<T>, tries: Tries): AsyncGenerator<Answer<T>, { rejected: boolean }> {
  const { attempts, avoid, reasons } = tries
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const { result, endpoint } = await way.request(avoid)
      avoid.add(endpoint)
      const read = way.read(result)
      tries.judge(endpoint, way.method, typeof read === 'string' ? read : undefined)
      if (typeof read !== 'string') {
        yield { result: read, endpoint }
        continue
      }
      tries.onWrong()
      reasons.push(`${way.method} at ${endpoint}: ${read}`)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      reasons.push(error)
      if (tries.isRejection(error)) return { rejected: true }
      avoid.add(error.endpoint)
    }
  }
  return { rejected: false }
}

/** The first valid answer of the first way that returns one; undefined if none does. */
export async function tryWays<T>(ways: Iterable<Way<T>>, triesOf: () => Tries): Promise<Answer<T> | undefined> {
  for (const way of ways) for await (const answer of tryWay(way, triesOf())) return answer
  return undefined
}
