import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Far above the time that a line of a page takes. A slower line hangs and must not block the lines after it. */
const longestMs = 60_000

/**
 * Runs a script and everything that it starts in sh, for at most a minute. `fault` says how it failed, with its stderr;
 * it is undefined after exit code 0.
 */
export async function runShell(
  script: string,
  { env, input }: { env: Record<string, string>; input: string },
): Promise<{ out: string; fault?: string }> {
  // A process group, so that programs that a line starts end with it.
  const shell = spawn('sh', ['-c', script], { env, detached: true })
  shell.stdin.on('error', () => {})
  shell.stdin.end(input)
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    process.kill(-shell.pid!, 'SIGKILL')
  }, longestMs)
  const ended = new Promise<number | null>((resolve, reject) => shell.once('error', reject).once('close', resolve))
  const [out, err, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended])
  clearTimeout(limit)
  if (isLate) return { out, fault: `did not end within ${longestMs / 1000} s\n${err}` }
  return code === 0 ? { out } : { out, fault: `exit code ${code}\n${err}` }
}
