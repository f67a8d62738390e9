import { readFile } from 'node:fs/promises'
import type { GuardedClient } from '../../net/client.ts'
import { describeError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { nameEndpoints } from '../../util/urls/endpointUrls.ts'

/** Contracts in the operator's lists. */
export type Lists = {
  /** Names of the lists of a kind that contain the contract: the file, or the host of a URL. */
  find(kind: ListKind, chainId: bigint, address: Address): string[]
  /** Reads all lists again. An unreadable list keeps its content. True if something changed. */
  refresh(signal: AbortSignal): Promise<boolean>
}

export type ListKind = 'spam' | 'verified'

export type ListsOptions = {
  /** Files and URLs, by kind. */
  sources: Record<ListKind, readonly string[]>
  http: Pick<GuardedClient, 'get'>
  log: Log
}

/** Longest list, in bytes. */
const maxBytes = 67_108_864

/** Replaces a missing chain id: the contract on every chain. */
const anyChain = '*'

export function createLists({ sources, http, log }: ListsOptions): Lists {
  /** By source: `chain:address` of each contract. */
  const held = new Map<string, ReadonlySet<string>>()
  const all = [...new Set([...sources.spam, ...sources.verified])]
  const names = new Map(nameEndpoints(all.filter(isAddress)).map(({ url, name }) => [url, name]))
  const nameOf = (source: string) => names.get(source) ?? source

  async function read(source: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const bytes = isAddress(source)
      ? (await http.get(source, { signal, maxBytes })).body
      : await readFile(source, { signal })
    // Imported on demand: most servers have no list, and start faster without the YAML and CSV libraries.
    const { parseAddressList } = await import('./parseAddressList.ts')
    const { entries, rejected } = await parseAddressList(bytes, source)
    log.info({ list: nameOf(source), contracts: entries.length, rejected }, 'spam list loaded')
    return new Set(entries.map(({ chainId, address }) => `${chainId ?? anyChain}:${address}`))
  }

  return {
    find(kind, chainId, address) {
      const entries = [`${chainId}:${address}`, `${anyChain}:${address}`]
      return sources[kind].filter((source) => entries.some((entry) => held.get(source)?.has(entry))).map(nameOf)
    },
    async refresh(signal) {
      let changed = false
      for (const source of all) {
        try {
          const now = await read(source, signal)
          const before = held.get(source)
          changed ||= !before || before.size !== now.size || [...now].some((entry) => !before.has(entry))
          held.set(source, now)
        } catch (error) {
          signal.throwIfAborted()
          log.warn({ list: nameOf(source), reason: describeError(error) }, 'spam list not loaded')
        }
      }
      return changed
    },
  }
}

function isAddress(source: string): boolean {
  return /^https?:\/\//.test(source) && URL.canParse(source)
}
