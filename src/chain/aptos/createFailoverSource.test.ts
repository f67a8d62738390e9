import { expect, test } from 'vitest'
import { noopLog } from '../../util/log.ts'
import { createFailoverSource } from './createFailoverSource.ts'
import type { AptosBatch, AptosSource } from './source.ts'

/** A source that returns these batches and then waits; `head` returns its head. */
function scripted(options: { batches?: (readonly [from: bigint, to: bigint])[]; head: () => bigint }): AptosSource {
  const { batches = [], head } = options
  return {
    rangeWidth: 100n,
    probesHead: false,
    ledger: async () => ({ chainId: 1, head: head(), oldest: 0n }),
    has: async (version) => version <= head(),
    async *read({ from }, signal) {
      const given = batches.length > 0 ? batches : [[from, head()] as const]
      for (const [first, last] of given)
        yield { chainId: 1, from: first, to: last, head: last < first ? first - 1n : last, transactions: [] }
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    },
    close: async () => undefined,
  }
}

function failover(grpc: AptosSource, rest: AptosSource) {
  return createFailoverSource({
    sources: [
      { name: 'grpc', source: grpc },
      { name: 'rest', source: rest },
    ],
    chainId: () => 1,
    pauseMs: 60_000,
    onFault: () => undefined,
    log: noopLog,
  })
}

/** Reads from version `from` on, up to the first batch for which `isLast` is true. */
async function read(source: AptosSource, from: bigint, isLast: (batch: AptosBatch) => boolean): Promise<AptosBatch[]> {
  const stop = new AbortController()
  const batches: AptosBatch[] = []
  for await (const batch of source.read({ from }, stop.signal)) {
    batches.push(batch)
    if (isLast(batch)) break
  }
  stop.abort()
  return batches
}

test('behavior: a source that is at its end confirms no head while another source has later versions', async () => {
  const grpc = scripted({
    batches: [
      [0n, 9n],
      [10n, 9n],
    ],
    head: () => 9n,
  })
  const batches = await read(failover(grpc, scripted({ head: () => 20n })), 0n, ({ to }) => to === 20n)
  const requested = batches.filter(({ from, to }) => to < from)
  expect(requested.map(({ head }) => head).filter((head) => head !== 20n)).toEqual([])
  expect(batches.at(-1)).toMatchObject({ from: 10n, to: 20n })
})

test('behavior: a lagging stream that keeps sending is compared with the head of the other source', async () => {
  const grpc = scripted({
    batches: Array.from({ length: 50 }, (_, i) => [BigInt(i), BigInt(i)] as const),
    head: () => 49n,
  })
  const batches = await read(failover(grpc, scripted({ head: () => 1_000n })), 0n, ({ to }) => to === 49n)
  expect(batches.at(-1)).toMatchObject({ to: 49n, head: 1_000n })
})
