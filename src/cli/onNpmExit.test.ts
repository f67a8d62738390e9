import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** Prints its pid, `gone` when it detects the end of npm, and `alone` if it outlives its parent for long. */
const program = `
import { onNpmExit } from ${JSON.stringify(join(import.meta.dirname, 'onNpmExit.ts'))}
onNpmExit(() => { console.log('gone'); process.exit(0) }, 20)
// Before it reports its process id.
const parent = process.ppid
console.log(process.pid)
let ticks = 0
setInterval(() => {
  if (process.ppid !== parent && ++ticks === 20) { console.log('alone'); process.exit(0) }
}, 20)
`

describe.skipIf(process.platform !== 'linux')('under npm', () => {
  let folder: string
  let npm: ChildProcess | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mintmark-npm-'))
    writeFileSync(join(folder, 'program.ts'), program)
  })
  afterEach(() => {
    npm?.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })

  async function run(script: string) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts: { go: script } }))
    const child = spawn('npm', ['run', '--silent', 'go'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
    npm = child
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async () => (await lines.next()).value
    expect(Number(await next())).toBeGreaterThan(1)
    return { child, next }
  }

  const start = `'${process.execPath}' program.ts`

  test.each(['SIGTERM', 'SIGKILL'] as const)('default: calls back when npm is ended by %s', async (signal) => {
    const { child, next } = await run(start)
    child.kill(signal)
    expect(await next()).toBe('gone')
  })

  test('behavior: a process that an npm script started in the background keeps running when npm ends', async () => {
    const { child, next } = await run(`nohup ${start} & read line`)
    child.stdin?.end('\n')
    if (child.exitCode === null) await once(child, 'exit')
    expect(await next()).toBe('alone')
  })
})
