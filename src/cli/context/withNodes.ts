import type { EvmChain } from '../../chain/evm/chains.ts'
import type { Config } from '../../config/config.ts'
import { resolveChains } from '../../config/resolveChains.ts'
import { BadRequestError } from '../../util/errors.ts'
import { quantity } from '../../util/hex.ts'

/** The chain with its configured nodes. Node URLs contain keys, so they are not in the database. */
export function withNodes(
  config: Config,
  { id, name }: { id: bigint; name: string },
  given: readonly string[],
): EvmChain {
  const own = resolveChains(config).find((chain) => chain.id === id)
  const rpc = given.length > 0 ? [...given] : (own?.rpc ?? [])
  if (rpc.length === 0)
    throw new BadRequestError(
      `no node of ${name} is configured here: give the server's configuration with --config, or a node with --rpc`,
    )
  if (own) return { ...own, rpc }
  const added = { [name]: { id: quantity(id), rpc: [...rpc] } }
  const found = resolveChains({ ...config, chains: added }).find((chain) => chain.id === id)
  if (!found) throw new BadRequestError(`the id of the chain ${name} is not ${quantity(id)}`)
  return found
}
