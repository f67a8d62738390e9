import type { EvmChain } from '../chain/evm/chains.ts'
import { quantity } from '../util/hex.ts'
import type { Log } from '../util/log.ts'

/** A log that writes chain ids in the fields `chain` and `chains` as names, so that a chain has one name in all lines. */
export function nameChains(log: Log, chains: readonly Pick<EvmChain, 'id' | 'name'>[]): Log {
  const names = new Map(chains.map(({ id, name }) => [id, name]))

  function nameOf(chain: unknown): unknown {
    if (typeof chain === 'bigint') return names.get(chain) ?? quantity(chain)
    return Array.isArray(chain) ? chain.map(nameOf) : chain
  }

  function named(fields: object): object {
    const { chain, chains: several } = fields as { chain?: unknown; chains?: unknown }
    if (chain === undefined && several === undefined) return fields
    return {
      ...fields,
      ...(chain !== undefined && { chain: nameOf(chain) }),
      ...(several !== undefined && { chains: nameOf(several) }),
    }
  }

  function wrap(inner: Log): Log {
    return {
      debug: (fields, event) => inner.debug(named(fields), event),
      info: (fields, event) => inner.info(named(fields), event),
      warn: (fields, event) => inner.warn(named(fields), event),
      error: (fields, event) => inner.error(named(fields), event),
      child: (fields) => wrap(inner.child(named(fields))),
    }
  }
  return wrap(log)
}
