import { expect, onTestFinished, test } from 'vitest'
import { createAptosChain } from '../../../test/aptos/aptosChain.ts'
import { startFakeStream } from '../../../test/aptos/fakeStream.ts'
import { inventTransaction } from '../../../test/aptos/inventedTransaction.ts'
import { noopLog } from '../../util/log.ts'
import { createGrpcSource } from './createGrpcSource.ts'

const first = 100_000n

test('error: a version that a lagging server does not have yet is retryable, and one that it pruned is not', async () => {
  const chain = createAptosChain({ chainId: 1, first })
  for (let i = 0; i < 50; i++) chain.add(inventTransaction({ kind: 'block' }))
  let behind = 0n
  let oldest = 0n
  const stream = await startFakeStream({ chain, pastHead: 'refuse', behind: () => behind, oldest: () => oldest })
  const source = createGrpcSource({
    ...{ address: stream.address, token: undefined, wanted: { resources: ['0x1::coin::CoinInfo<'] }, silenceMs: 2_000 },
    ...{ firstVersion: first, log: noopLog },
  })
  onTestFinished(source.close)
  const { signal } = new AbortController()
  const read = async () => {
    let next = first + 10n
    for await (const batch of source.read({ from: next, to: first + 19n }, signal)) next = batch.to + 1n
    return next
  }
  expect(await read()).toBe(first + 20n)
  behind = 20_000n
  await expect(read()).rejects.toMatchObject({ code: 'APTOS_ABSENT', retryable: true })
  behind = 0n
  expect(await read()).toBe(first + 20n)
  oldest = first + 15n
  await expect(read()).rejects.toMatchObject({ code: 'APTOS_PRUNED', retryable: false })
})
