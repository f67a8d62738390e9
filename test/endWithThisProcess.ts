import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** $1 is the data folder; the first line of postmaster.pid is the server that runs at the end, restarted or not. */
const script = `
read -r _
pid=$(head -n 1 "$1/postgres/postmaster.pid" 2>/dev/null)
if [ -n "$pid" ]; then
  kill -QUIT "$pid" 2>/dev/null
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
fi
rm -rf "$1"
`

/**
 * Ends the embedded server on `dataDir` and removes the folder when this process is gone, whichever way it goes: a
 * shell waits for the end of its standard input, which the kernel closes.
 */
export function endWithThisProcess({ dataDir }: { dataDir: string }): { end(): Promise<void> } {
  const shell = spawn('/bin/sh', ['-c', script, 'sh', dataDir], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  shell.unref()
  return {
    async end() {
      const exited = once(shell, 'exit')
      shell.stdin.end()
      await exited
    },
  }
}
