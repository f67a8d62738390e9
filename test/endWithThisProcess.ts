import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Ends the postmaster `pid` and removes `folder` when this process is gone, whichever way it goes: a shell waits for
 * the end of its standard input, which the kernel closes.
 */
export function endWithThisProcess(options: { pid: number; folder: string }): { end(): Promise<void> } {
  const script =
    'read -r _; kill -QUIT "$1" 2>/dev/null; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf "$2"'
  const shell = spawn('/bin/sh', ['-c', script, 'sh', String(options.pid), options.folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.unref()
  return {
    async end() {
      const exited = once(shell, 'exit')
      shell.stdin.end()
      await exited
    },
  }
}
