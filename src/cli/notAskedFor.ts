import { NotFoundError } from '../errors.ts'
import type { NamedChain } from '../sync/chainNames.ts'
import { commandWord } from '../util/commandWord.ts'
import type { Address } from '../util/hex.ts'

/** A collection that a command is about and that is not stored, with the command that asks for it. */
export function notAskedFor(chain: NamedChain, address: Address): NotFoundError {
  return new NotFoundError(
    `nobody asked for ${address} yet: run "mintmark index ${commandWord(chain.name)} ${address}"`,
  )
}
