import { NotFoundError } from '../../errors.ts'
import type { NamedChain } from '../../sync/chainNames.ts'
import { commandWord } from '../../util/commandWord.ts'
import type { Address } from '../../util/hex.ts'

/** Nothing is stored of a contract that a command is about: no request has named it yet, or it was removed. */
export function notIndexed(chain: NamedChain, address: Address): NotFoundError {
  return new NotFoundError(
    `${address} of ${chain.name} is not indexed: start its indexing with "mintmark index ${commandWord(chain.name)} ${address}"`,
  )
}
