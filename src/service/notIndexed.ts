import { NotFoundError } from '../errors.ts'
import type { NamedChain } from '../sync/chainNames.ts'
import { commandWord } from '../util/commandWord.ts'
import type { Address } from '../util/hex.ts'

/** Nothing is stored of a contract that a command or an admin route is about: no request has named it yet, or it was removed. */
export function notIndexed(chain: NamedChain, address: Address, asker: 'command' | 'route'): NotFoundError {
  const start =
    asker === 'command'
      ? `"mintmark index ${commandWord(chain.name)} ${address}"`
      : `GET /api/v2/nft/${address}?chain=${encodeURIComponent(chain.name)}`
  return new NotFoundError(`${address} of ${chain.name} is not indexed: start its indexing with ${start}`, {
    details: { parameter: 'address' },
  })
}
