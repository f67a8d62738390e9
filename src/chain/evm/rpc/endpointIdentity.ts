import { quantity } from '../../../util/hex.ts'
import type { EvmChain } from '../chains.ts'
import { quantityOf } from './normalForm.ts'
import { parseHeader } from './parseHeader.ts'
import type { Fault, Outcome } from './parseReply.ts'
import type { Mark, RpcCall } from './rpc.ts'

/** Checks which chain an endpoint serves: before its first call, after it was unreachable, and when `expect` or `forget` requires it. */
export type EndpointIdentity = {
  /** The error that disables the endpoint; undefined if it serves the right chain. Concurrent callers share one check. */
  verify(): Promise<Fault | undefined>
  /** Requires another check before the endpoint's next call; from now on it must also have these blocks. */
  expect(marks: readonly Mark[]): void
  /** Requires another check before the endpoint's next call. */
  forget(): void
}

/** `onOther` is called with a message if the endpoint serves another chain, and returns the error. */
export function createEndpointIdentity(options: {
  chain: EvmChain
  send: (calls: readonly RpcCall[]) => Promise<Outcome[]>
  onOther: (detail: string) => Fault
}): EndpointIdentity {
  const { chain, send, onOther } = options
  let marks: readonly Mark[] = []
  let verified: Promise<Fault | undefined> | undefined

  async function request(): Promise<Fault | undefined> {
    const [answer] = await send([{ method: 'eth_chainId', params: [] }])
    if ('fault' in answer!) return answer.fault
    const given = answer!.result
    const id = typeof given === 'number' ? quantityOf(given) : given
    if (typeof id !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(id))
      return onOther(`returns no chain id, instead of ${quantity(chain.id)}`)
    if (BigInt(id) !== chain.id) return onOther(`serves chain ${id}, not ${quantity(chain.id)}`)
    const detail = await oddMark()
    return detail === undefined ? undefined : onOther(detail)
  }

  /** A message about a block that has another hash at the endpoint. A block that it does not return shows nothing. */
  async function oddMark(): Promise<string | undefined> {
    const expected = marks
    const outcomes = await send(
      expected.map(({ number }) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] })),
    )
    for (const [i, { number, hash }] of expected.entries()) {
      const outcome = outcomes[i]!
      const block = 'fault' in outcome ? undefined : parseHeader(outcome.result)
      if (block?.number === number && block.hash !== hash)
        return `serves another chain: its block ${number} is ${block.hash}, not ${hash}`
    }
    return undefined
  }

  return {
    verify() {
      if (verified) return verified
      const requesting: Promise<Fault | undefined> = request().then((fault) => {
        // `expect` or `forget` may have replaced this check.
        if (fault && verified === requesting) verified = undefined
        return fault
      })
      verified = requesting
      return requesting
    },
    expect(expected) {
      marks = expected
      verified = undefined
    },
    forget() {
      verified = undefined
    },
  }
}
