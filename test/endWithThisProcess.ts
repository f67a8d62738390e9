import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** $1 is the folder. The first line of a postmaster.pid is the id of the server that currently runs, even after a restart. */
const script = `
read -r _
for pid in $(find "$1" -name postmaster.pid -exec head -n 1 {} \\; 2>/dev/null); do
  kill -QUIT "$pid" 2>/dev/null
  kill -CONT "$pid" 2>/dev/null
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
done
rm -rf "$1"
`

/**
 * Ends the embedded servers in `folder` and removes the folder once this process has ended, even if it was killed.
 * A shell waits for the end of its standard input, which the kernel closes.
 */
export function endWithThisProcess(folder: string): { end(): Promise<void> } {
  const shell = spawn('/bin/sh', ['-c', script, 'sh', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  const exited = once(shell, 'exit')
  shell.unref()
  return {
    async end() {
      // Otherwise a process that waits for nothing else ends here.
      shell.ref()
      shell.stdin.end()
      await exited
    },
  }
}
