import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'

/** The names of a hosts file, in lower case, with their addresses. In Node only getaddrinfo reads this file, which `createResolver` avoids. */
export function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      const known = hosts.get(key)
      if (known) known.push(address)
      else hosts.set(key, [address])
    }
  }
  return hosts
}

/** Looks a name up in the hosts file, which is reread after changes, at most once in five seconds. */
export function createHostsFile(options: { path: string }): (name: string) => Promise<string[]> {
  let hosts = new Map<string, string[]>()
  let readAt = Number.NEGATIVE_INFINITY
  let changed = Number.NaN
  return async (name) => {
    if (performance.now() - readAt > 5_000) {
      readAt = performance.now()
      try {
        const { mtimeMs } = await stat(options.path)
        if (mtimeMs !== changed) hosts = parseHosts(await readFile(options.path, 'utf8'))
        changed = mtimeMs
      } catch {
        // Many containers have no hosts file: then no name is found.
        hosts = new Map()
        changed = Number.NaN
      }
    }
    return hosts.get(name) ?? []
  }
}
