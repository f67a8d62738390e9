import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const main = new URL('../src/main.ts', import.meta.url).pathname

/** The service as an operator starts it, in a process of its own; answers when it serves. */
export async function startServiceProcess(configFile: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [main, 'start', '--config', configFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // Whatever fails, nothing is left behind.
  onTestFinished(() => void child.kill('SIGKILL'))
  const stderr = child.stderr!
  return new Promise((resolve, reject) => {
    let text = ''
    const onData = (chunk: Buffer) => {
      text += chunk
      const url = /"url":"(http:[^"]+)"/.exec(text)?.[1]
      if (!url) return
      // Listening on without keeping what is said: a full pipe would stop the service.
      stderr.off('data', onData).resume()
      resolve({ child, url })
    }
    stderr.on('data', onData)
    child.once('exit', () => reject(new Error(`the service did not start: ${text}`)))
  })
}

export async function killProcess(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
