import type { EvmChain } from '../chains.ts'
import { parseHeader } from './parseHeader.ts'
import type { Fault, Outcome } from './parseReply.ts'
import type { Mark, RpcCall } from './rpc.ts'

/** What chain an endpoint serves: asked before its first call, after it was away, and when it is told to be asked again. */
export type EndpointIdentity = {
  /** The fault that keeps the endpoint from use, if any. One question however many callers wait for it. */
  verify(): Promise<Fault | undefined>
  /** From now on these blocks have to be its own, and it is asked again. */
  expect(marks: readonly Mark[]): void
  /** It is asked again before its next call. */
  forget(): void
}

/** `onOther`: the fault of an endpoint that serves another chain, told in words. */
export function createEndpointIdentity(options: {
  chain: EvmChain
  send: (calls: readonly RpcCall[]) => Promise<Outcome[]>
  onOther: (words: string) => Fault
}): EndpointIdentity {
  const { chain, send, onOther } = options
  let marks: readonly Mark[] = []
  let verified: Promise<Fault | undefined> | undefined

  async function ask(): Promise<Fault | undefined> {
    const [answer] = await send([{ method: 'eth_chainId', params: [] }])
    if ('fault' in answer!) return answer.fault
    const id = answer!.result
    if (typeof id !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(id))
      return onOther(`names no chain, instead of 0x${chain.id.toString(16)}`)
    if (BigInt(id) !== chain.id) return onOther(`serves chain ${id}, not 0x${chain.id.toString(16)}`)
    const words = await oddMark()
    return words === undefined ? undefined : onOther(words)
  }

  /** A block that the endpoint has under another hash. One that it does not have, or does not give, says nothing. */
  async function oddMark(): Promise<string | undefined> {
    const expected = marks
    const outcomes = await send(
      expected.map(({ number }) => ({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] })),
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
      const asking: Promise<Fault | undefined> = ask().then((fault) => {
        // Meanwhile it may have been told to be asked again.
        if (fault && verified === asking) verified = undefined
        return fault
      })
      verified = asking
      return asking
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
