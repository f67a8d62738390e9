import { createHash } from 'node:crypto'
import { createLru } from '../../../util/createLru.ts'
import { largest } from '../../../util/extremes.ts'
import type { Address } from '../../../util/hex.ts'
import type { Log } from '../../../util/log.ts'
import { nameEndpoints } from '../../../util/urls/endpointUrls.ts'
import type { EvmChain } from '../chains.ts'
import { createLogWidth, type LogWidth, type RangeCaps } from './logWidth.ts'
import type { LogRange } from './source.ts'

/** The eth_getLogs widths that worked, stored beyond the process. `endpoint` is the hash of a node's name. */
export type WidthMemory = {
  /** Widths of a contract by endpoint. */
  read(contract: Address): Promise<ReadonlyMap<string, number>>
  write(contract: Address, endpoint: string, blocks: number): Promise<void>
}

/** The widths for requests like this one. Logs by topics cost a node more than a contract's logs, and start narrower. */
export type LogWidths = { of(range: Pick<LogRange, 'address' | 'topics'>): Promise<LogWidth> }

export type LogWidthsOptions = {
  chain: EvmChain
  max: number
  caps: RangeCaps
  memory: WidthMemory | undefined
  log: Log
}

/** Most contracts whose width is in memory; 300 bytes each. */
const maxContracts = 10_000

/** The width of each contract, starting with the stored one. */
export function createLogWidths({ chain, max, caps, memory, log }: LogWidthsOptions): LogWidths {
  const hashes = new Map(nameEndpoints(chain.rpc).map(({ name }) => [name, endpointHash(name)]))
  const widths = createLru<Address, Promise<LogWidth>>(maxContracts)

  async function open(contract: Address, isContract: boolean): Promise<LogWidth> {
    const known = await recall(contract)
    const stored = new Map(known)
    /** Written only if it differs from the stored one by more than a quarter: a few writes per contract, not one per range. */
    const worked = (blocks: number, endpoint: string) => {
      const hash = hashes.get(endpoint)
      const before = hash === undefined ? undefined : stored.get(hash)
      if (!memory || hash === undefined || (before !== undefined && Math.abs(before - blocks) * 4 <= before)) return
      stored.set(hash, blocks)
      memory.write(contract, hash, blocks).catch((err: unknown) => {
        log.warn({ chain: chain.name, contract, err }, 'eth_getLogs range width not stored')
      })
    }
    const ours = [...hashes.values()].flatMap((hash) => known.get(hash) ?? [])
    const start = ours.length > 0 ? { start: largest(ours) } : isContract ? { first: caps.first() } : {}
    return createLogWidth({ max, endpoints: chain.rpc.length, caps, worked, ...start })
  }

  async function recall(contract: Address): Promise<ReadonlyMap<string, number>> {
    try {
      return (await memory?.read(contract)) ?? new Map()
    } catch (err) {
      // Without it reading only starts slower: halving finds the width again.
      log.warn({ chain: chain.name, contract, err }, 'eth_getLogs range width not loaded')
      return new Map()
    }
  }

  return {
    of(range) {
      const subject = subjectOf(range)
      const known = widths.get(subject)
      if (known) return known
      const opened = open(subject, range.address !== undefined)
      widths.set(subject, opened)
      return opened
    },
  }
}

/** The address by which the widths of a request are stored: the contract, the only wallet among the topics, or a key for any wallets. */
export function subjectOf({ address, topics }: Pick<LogRange, 'address' | 'topics'>): Address {
  if (address) return address
  const parties = topics.slice(1).flatMap((place) => place ?? [])
  return parties.length === 1 ? `0x${parties[0]!.slice(26)}` : anyWallet
}

const anyWallet: Address = `0x${'0'.repeat(40)}`

/** SHA-256 of an endpoint's name in 64 hex digits. Never of its URL: a weak password in it could be found from the hash. */
export function endpointHash(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}
