import { createHash } from 'node:crypto'
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
  /** Reads all lists again. An unreadable list keeps its content. */
  refresh(signal: AbortSignal): Promise<void>
  /** Digest of all results of `find`: equal in every process with these lists. undefined: a list was never readable in this process. */
  digest(): string | undefined
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

/** `entries`: `chain:address` of each contract. */
type List = { entries: ReadonlySet<string>; digest: string }

/** Replaces a missing chain id: the contract on every chain. */
const anyChain = '*'

export function createLists({ sources, http, log }: ListsOptions): Lists {
  const held = new Map<string, List>()
  const all = [...new Set([...sources.spam, ...sources.verified])]
  const names = new Map(nameEndpoints(all.filter(isAddress)).map(({ url, name }) => [url, name]))
  const nameOf = (source: string) => names.get(source) ?? source

  async function read(source: string, signal: AbortSignal): Promise<List> {
    const bytes = isAddress(source)
      ? (await http.get(source, { signal, maxBytes })).body
      : await readFile(source, { signal })
    // Imported on demand: most servers have no list, and start faster without the YAML and CSV libraries.
    const { parseAddressList } = await import('./parseAddressList.ts')
    const { entries, rejected } = await parseAddressList(bytes, source)
    log.info({ list: nameOf(source), contracts: entries.length, rejected }, 'spam list loaded')
    const found = new Set(entries.map(({ chainId, address }) => `${chainId ?? anyChain}:${address}`))
    // Sorted: the same contracts in another order change no assessment.
    return { entries: found, digest: digestOf([...found].sort()) }
  }

  return {
    find(kind, chainId, address) {
      const entries = [`${chainId}:${address}`, `${anyChain}:${address}`]
      return sources[kind].filter((source) => entries.some((entry) => held.get(source)?.entries.has(entry))).map(nameOf)
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
      if (all.some((source) => !held.has(source))) return undefined
      const kindOf = (kind: ListKind) => sources[kind].map((source) => [nameOf(source), held.get(source)!.digest])
      return digestOf([kindOf('spam'), kindOf('verified')])
    },
  }
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

function isAddress(source: string): boolean {
  return /^https?:\/\//.test(source) && URL.canParse(source)
}
