import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Caches Node's compiled code between starts, which halves the start time of a command. The folder is the user's own, not Node's default in the
 * temporary folder, where others could replace code; if it is not writable, nothing is cached. NODE_COMPILE_CACHE sets another folder,
 * NODE_DISABLE_COMPILE_CACHE=1 disables the cache.
 */
export function keepCompiled(): void {
  const home = homeFolder()
  if (home !== undefined && existsSync(home)) enableCompileCache(join(home, '.cache', 'mintmark', 'compiled'))
}

/** undefined if this user has none, as a container's that is only a number. */
function homeFolder(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}
