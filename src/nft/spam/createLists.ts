import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { GuardedClient } from '../../net/client.ts'
import { describeError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { nameEndpoints } from '../../util/urls/endpointUrls.ts'
import type { ListChains } from './collectAddresses.ts'

/** Contracts in the operator's lists. */
export type Lists = {
  /**
   * Names of the lists of a kind that contain the contract: the file, or the host of a URL. `wasOn` decides for a list that was never readable in
   * this process, so that its contracts keep their marks.
   */
  find(kind: ListKind, chainId: bigint, address: Address, wasOn: (list: string) => boolean): string[]
  /** Reads all lists again. An unreadable list keeps its content. */
  refresh(signal: AbortSignal): Promise<void>
  /** Digest of all results of `find`: equal in every process with these lists. Changes as soon as a list becomes readable. */
  digest(): string
}

export type ListKind = 'spam' | 'verified'

export type ListsOptions = {
  /** Files and URLs, by kind. */
  sources: Record<ListKind, readonly string[]>
  chains: ListChains
  http: Pick<GuardedClient, 'get'>
  log: Log
}

/** Longest list, in bytes. */
const maxBytes = 67_108_864

/** `source`: digest of the bytes read. `entries`: `chain:address` of each contract. */
type List = { source: string; entries: ReadonlySet<string>; digest: string }

/** Entries that are hashed before other tasks run. */
const hashedAtOnce = 1_000

/** Replaces a missing chain id: the contract on every chain. */
const anyChain = '*'

export function createLists({ sources, chains, http, log }: ListsOptions): Lists {
  const held = new Map<string, List>()
  const all = [...new Set([...sources.spam, ...sources.verified])]
  const names = new Map(nameEndpoints(all.filter(isAddress)).map(({ url, name }) => [url, name]))
  const nameOf = (source: string) => names.get(source) ?? source

  async function read(source: string, signal: AbortSignal): Promise<List> {
    const bytes = isAddress(source)
      ? (await http.get(source, { signal, maxBytes })).body
      : await readFile(source, { signal })
    const sourceDigest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
    const before = held.get(source)
    if (before?.source === sourceDigest) return before
    // Imported on demand: most servers have no list, and start faster without the YAML and CSV libraries.
    const { parseAddressList } = await import('./parseAddressList.ts')
    const { entries, rejected } = await parseAddressList(bytes, source, chains)
    log.info({ list: nameOf(source), contracts: entries.length, rejected }, 'spam list loaded')
    const found = new Set(entries.map(({ chainId, address }) => `${chainId ?? anyChain}:${address}`))
    return { source: sourceDigest, entries: found, digest: await digestEntries(found) }
  }

  return {
    find(kind, chainId, address, wasOn) {
      const keys = [`${chainId}:${address}`, `${anyChain}:${address}`]
      const contains = (source: string) => {
        const list = held.get(source)
        return list ? keys.some((key) => list.entries.has(key)) : wasOn(nameOf(source))
      }
      return sources[kind].filter(contains).map(nameOf)
    },
    async refresh(signal) {
      for (const source of all) {
        try {
          held.set(source, await read(source, signal))
        } catch (error) {
          signal.throwIfAborted()
          log.warn({ list: nameOf(source), reason: describeError(error) }, 'spam list not loaded')
        }
      }
    },
    digest() {
      const kindOf = (kind: ListKind) =>
        sources[kind].map((source) => [nameOf(source), held.get(source)?.digest ?? null])
      return hash('sha256', JSON.stringify([kindOf('spam'), kindOf('verified')]))
    },
  }
}

/** The sum of the hashes: the same contracts in another order change no assessment. */
async function digestEntries(entries: ReadonlySet<string>): Promise<string> {
  let sum = 0n
  let hashed = 0
  for (const entry of entries) {
    sum += BigInt(`0x${hash('sha256', entry)}`)
    if (++hashed % hashedAtOnce === 0) await setImmediate()
  }
  return sum.toString(16)
}

function isAddress(source: string): boolean {
  return /^https?:\/\//.test(source) && URL.canParse(source)
}
