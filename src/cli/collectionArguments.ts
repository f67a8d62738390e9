import { type Command, InvalidArgumentError } from 'commander'
import type { EvmChain } from '../chain/evm/chains.ts'
import { type Config, resolveChains } from '../config.ts'
import { BadRequestError } from '../errors.ts'
import type { Address } from '../util/hex.ts'

/** An address argument: 20 bytes of hex, made lower case. */
export function parseAddress(text: string): Address {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new InvalidArgumentError('It must be 0x and 40 hex digits.')
  return text.toLowerCase() as Address
}

/** The configured chain of a name or an id in hex. */
export function findChain(config: Config, text: string): EvmChain {
  const wanted = text.toLowerCase()
  const chains = resolveChains(config)
  const chain = chains.find(({ id, names }) => names.includes(wanted) || `0x${id.toString(16)}` === wanted)
  if (!chain)
    throw new BadRequestError(
      `there is no chain "${text}": there are ${chains.map((c) => c.name).join(', ')}; add others to the configuration under chains`,
    )
  if (chain.rpc.length === 0)
    throw new BadRequestError(`${chain.name} has no node: name one in the configuration under chains.${chain.name}.rpc`)
  return chain
}

/** CHAIN and ADDRESS, as every command that is about one collection takes them. */
export function addCollectionArguments(command: Command, { optional }: { optional: boolean }): Command {
  const [open, close] = optional ? ['[', ']'] : ['<', '>']
  return command
    .argument(`${open}chain${close}`, 'name or hex id of the chain, such as eth or 0x1')
    .argument(`${open}address${close}`, 'address of the contract', parseAddress)
}
