import { AptosIdentityError } from './aptosError.ts'
import type { AptosSource } from './source.ts'

/**
 * A source whose answers are all checked against the expected chain: one address may have several nodes behind it. Its `ledger` and `read` throw
 * AptosIdentityError before they return data of another chain. `name`: the source's name in messages.
 */
export function expectChain(
  source: AptosSource,
  { name, network, chainId }: { name: string; network: string; chainId: () => number | undefined },
): AptosSource {
  function check(found: number): void {
    const expected = chainId()
    if (expected === undefined || expected === found) return
    throw new AptosIdentityError(
      `the ${name} source of ${network} serves chain ${found}, but ${network} is chain ${expected}: correct the address, or give the other chain a name of its own`,
    )
  }

  return {
    ...source,
    async ledger(signal) {
      const ledger = await source.ledger(signal)
      check(ledger.chainId)
      return ledger
    },
    async *read(range, signal) {
      for await (const batch of source.read(range, signal)) {
        check(batch.chainId)
        yield batch
      }
    },
  }
}
