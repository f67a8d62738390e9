import { promises as dns, type LookupAddress, type RecordWithTtl } from 'node:dns'
import { isIP } from 'node:net'
import { createLru } from '../../util/createLru.ts'
import { smallest } from '../../util/extremes.ts'
import { shareCalls } from '../../util/shareCalls.ts'
import { createHostsFile } from './hostsFile.ts'

/** Every address of a name, of both families. Rejects with an error of node:dns (`code`: ENOTFOUND, ETIMEOUT …). */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

export type ResolverOptions = {
  /** Name servers as `address` or `address:port`; omitted: those of the system. */
  servers?: readonly string[]
  hostsPath?: string
  /** For one of two tries, in milliseconds. */
  timeoutMs?: number
}

/** Shortest and longest time for which an answer is cached, in milliseconds; between them its TTL decides. */
const shortestMs = 1_000
const longestMs = 60_000

/**
 * Looks names up with its own sockets. getaddrinfo would hold one of libuv's four threads for each name whose server does not respond. Four such
 * names would stop file access, compression and every other lookup of the process. getaddrinfo is used only for names without a dot, which the search
 * list of a cluster completes, two at a time.
 */
export function createResolver(options: ResolverOptions = {}): Resolve {
  const resolver = new dns.Resolver({ timeout: options.timeoutMs ?? 2_000, tries: 2 })
  if (options.servers) resolver.setServers(options.servers)
  const hosts = createHostsFile({ path: options.hostsPath ?? '/etc/hosts' })
  const kept = createLru<string, LookupAddress[]>(10_000, { ttl: longestMs })
  const shared = shareCalls<LookupAddress[]>()
  const system = twoAtOnce((name) => dns.lookup(name, { all: true }))

  async function find(name: string): Promise<LookupAddress[]> {
    const local = await hosts(name)
    if (local.length > 0) return local.map((address) => ({ address, family: isIP(address) }))
    // RFC 6761: these names are loopback and never leave the machine.
    if (name === 'localhost' || name.endsWith('.localhost'))
      return [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]
    if (!name.includes('.') && !options.servers) return system(name)
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(name, { ttl: true }),
      resolver.resolve6(name, { ttl: true }),
    ])
    const records: RecordWithTtl[] = [
      ...(four.status === 'fulfilled' ? four.value : []),
      ...(six.status === 'fulfilled' ? six.value : []),
    ]
    if (records.length === 0) throw (four as PromiseRejectedResult).reason ?? (six as PromiseRejectedResult).reason
    const addresses = records.map(({ address }) => ({ address, family: isIP(address) }))
    const ttl = smallest(records.map((record) => record.ttl)) * 1_000
    kept.set(name, addresses, { ttl: Math.min(longestMs, Math.max(shortestMs, ttl)) })
    return addresses
  }

  return (hostname) => {
    const name = (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname).toLowerCase()
    const known = kept.get(name)
    return known ? Promise.resolve(known) : shared(name, () => find(name))
  }
}

function twoAtOnce<T>(work: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const queues: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
  let lookups = 0
  return (name) => {
    const queue = lookups++ % 2
    const result = queues[queue]!.then(() => work(name))
    queues[queue] = result.catch(() => undefined)
    return result
  }
}
