import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { expect, onTestFinished } from 'vitest'
import { parseConfig } from '../src/config/config.ts'
import { faultOfLine, secretTexts } from './heldLog.ts'
import { builtProgram } from './program.ts'

/** Starts the service as an operator does, in a separate process, and resolves once it serves. Each line of its log is checked. */
export async function startServiceProcess(configFile: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [await builtProgram(), 'start', '--config', configFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // The process ends with the test, even if the start fails.
  const faults: string[] = []
  onTestFinished(() => {
    child.kill('SIGKILL')
    expect(faults).toEqual([])
  })
  const secrets = secretTexts(parseConfig(JSON.parse(await readFile(configFile, 'utf8'))))
  const stderr = child.stderr!
  return new Promise((resolve, reject) => {
    const output: string[] = []
    let rest = ''
    stderr.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      // A kill may truncate the last line, so it does not count.
      rest = lines.pop()!
      for (const line of lines) hear(line)
    })
    function hear(line: string): void {
      if (output.length < 100) output.push(line)
      const fault = line.startsWith('{') ? faultOfLine(line, secrets) : undefined
      if (fault !== undefined) faults.push(`${fault}: ${line.slice(0, 500)}`)
      const url = /"url":"(http:[^"]+)"/.exec(line)?.[1]
      if (url) resolve({ child, url })
    }
    child.once('exit', () => reject(new Error(`the service did not start: ${output.join('\n')}`)))
  })
}

export async function killProcess(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
