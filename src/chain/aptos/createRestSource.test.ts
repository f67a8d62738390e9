import { expect, onTestFinished, test } from 'vitest'
import { createAptosChain } from '../../../test/aptos/aptosChain.ts'
import { startFakeFullnode } from '../../../test/aptos/fakeFullnode.ts'
import { inventTransaction } from '../../../test/aptos/inventedTransaction.ts'
import { createRandom, freshSeed } from '../../../test/random.ts'
import { noopLog } from '../../util/log.ts'
import { AptosHeadError } from './aptosError.ts'
import { createRestSource } from './createRestSource.ts'

function openSource(base: string) {
  const options = {
    token: undefined,
    wanted: { resources: ['0x1::coin::CoinInfo<'] },
    pollIntervalMs: 1,
    timeoutMs: 5_000,
  }
  const source = createRestSource({ base, ...options, log: noopLog })
  onTestFinished(source.close)
  return source
}

function madeChain(count: number) {
  const chain = createAptosChain({ chainId: 1 })
  for (let i = 0; i < count; i++) chain.add(inventTransaction({ kind: i === 0 ? 'genesis' : 'block' }))
  return chain
}

const seed = freshSeed()

test.each([false, true])(
  `behavior: every version arrives although one of two nodes behind an address lags by five versions (seed ${seed}, bare %s)`,
  async (bare) => {
    const random = createRandom(seed)
    const chain = madeChain(10)
    const node = await startFakeFullnode({ chain, bare, behind: () => (random.chance(0.5) ? 5n : 0n) })
    const source = openSource(node.url)
    const stop = new AbortController()
    let next = 0n
    for await (const batch of source.read({ from: 0n }, stop.signal)) {
      expect(batch.from).toBe(next)
      next = batch.to + 1n
      if (next >= 300n) break
      chain.add(inventTransaction({ kind: 'block' }))
    }
    for await (const batch of source.read({ from: next - 3n, to: next - 1n }, stop.signal))
      expect(batch.from).toBeGreaterThanOrEqual(next - 3n)
  },
)

test('error: a reported head that no node has is an error, with or without an end version', async () => {
  const chain = madeChain(10)
  const node = await startFakeFullnode({ chain, reportedHead: () => '1000', bare: true })
  const source = openSource(node.url)
  const { signal } = new AbortController()
  for (const range of [{ from: 10n }, { from: 10n, to: 20n }]) {
    const reading = (async () => {
      for await (const batch of source.read(range, signal)) expect(batch.to).toBe(9n)
    })()
    await expect(reading).rejects.toBeInstanceOf(AptosHeadError)
  }
})
