import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Caches Node's compiled code between starts, which halves the start time of a command. The folder belongs to the user,
 * as others could replace code in Node's default temporary folder. If it is not writable, nothing is cached.
 * NODE_COMPILE_CACHE sets another folder; NODE_DISABLE_COMPILE_CACHE=1 disables the cache.
 */
export function keepCompiled(): void {
  const home = homeFolder()
  if (home !== undefined && existsSync(home)) enableCompileCache(join(home, '.cache', 'mintmark', 'compiled'))
}

/** undefined if the user has none, such as a container's numeric user. */
function homeFolder(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}
