import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import type { ConsoleState } from '../../api/console/consoleFiles.ts'
import type { Log } from '../../util/log.ts'
import { type ConsoleSources, consoleSources, packagedConsole } from './consoleFolders.ts'
import { readConsole } from './readConsole.ts'

type ConsoleOptions = { log: Log; signal: AbortSignal; sources?: ConsoleSources | undefined }

/**
 * The console in its current state. The package contains it built. In a clone a separate process builds it after changes of its sources, so that
 * nobody waits for it. The server works without it. `signal` ends a build.
 */
export function openConsole({ log, signal, sources = consoleSources() }: ConsoleOptions): () => ConsoleState {
  const folder = sources?.built ?? packagedConsole
  const files = readConsole(folder)
  let state: ConsoleState = files ? { status: 'ready', files } : { status: 'absent' }
  if (!files && !sources) log.warn({ folder }, 'console unavailable: this installation does not include it')
  else if (!files && !isInstalled('vite'))
    log.warn({}, 'console unavailable: vite is not installed; run npm ci without --omit=dev')
  else if (!files && sources) {
    state = { status: 'building' }
    const startedAt = performance.now()
    execFile(process.execPath, [sources.script, folder], { signal }, (err, _, stderr) => {
      const built = err ? undefined : readConsole(folder)
      state = built ? { status: 'ready', files: built } : { status: 'absent' }
      if (built) log.info({ ms: Math.round(performance.now() - startedAt) }, 'console built')
      else if (!signal.aborted)
        log.error(
          { err, reported: stderr.slice(-1_000) },
          'console unavailable: build failed; run npm ci after a change of package-lock.json',
        )
    })
  }
  return () => state
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false
    throw error
  }
}
