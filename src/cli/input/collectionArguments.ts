import { type Command, InvalidArgumentError } from 'commander'
import type { Address } from '../../util/hex.ts'

/** Help text of `<chain>`. */
export const chainArgument = 'name or id of the chain, such as eth, 0x1 or 1'

/** An address argument: 20 bytes of hex, returned in lower case. */
export function parseAddress(text: string): Address {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new InvalidArgumentError('It must be 0x and 40 hex digits.')
  return text.toLowerCase() as Address
}

/** Arguments CHAIN and ADDRESS of commands about one collection. */
export function addCollectionArguments(command: Command, { optional }: { optional: boolean }): Command {
  const [open, close] = optional ? ['[', ']'] : ['<', '>']
  return command
    .argument(`${open}chain${close}`, chainArgument)
    .argument(`${open}address${close}`, 'address of the contract', parseAddress)
}
