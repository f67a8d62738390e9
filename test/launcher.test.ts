import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The machine's own Node, if it is too old to run Mintmark. Only then is the launcher used. */
function findOldNode(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: where the machine's own Node is
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder.includes('node_modules')) continue
    try {
      const node = join(folder, 'node')
      const major = Number.parseInt(execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10)
      return major < 24 ? realpathSync(node) : undefined
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return undefined
}

const oldNode = findOldNode()

/** Replaces the compiled program: prints its arguments, and stops on a signal. */
const program = `
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => console.log(JSON.stringify({ signal })))
process.on('disconnect', () => { console.log(JSON.stringify({ signal: 'disconnect' })); process.exit(0) })
console.log(JSON.stringify({ version: process.versions.node, args: process.argv.slice(2) }))
if (process.argv[2] === 'exit') process.exit(Number(process.argv[3]))
if (process.argv[2] === 'die') process.kill(process.pid, 'SIGKILL')
process.stdin.on('end', () => process.exit(7))
process.stdin.resume()
`

describe.skipIf(!oldNode)('with a Node of the machine that is too old', () => {
  let folder: string
  let child: ChildProcess | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mintmark-launcher-'))
    for (const name of ['bin', 'dist', 'node_modules']) mkdirSync(join(folder, name))
    copyFileSync(join(root, 'bin/mintmark.js'), join(folder, 'bin/mintmark.js'))
    copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
    writeFileSync(join(folder, 'dist/main.js'), program)
  })
  afterEach(() => {
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })

  function launch(...args: string[]) {
    const launched = spawn(oldNode!, [join(folder, 'bin/mintmark.js'), ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
    child = launched
    const lines = createInterface({ input: launched.stdout })[Symbol.asyncIterator]()
    let errors = ''
    launched.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors += chunk
    })
    const closed = once(launched, 'close')
    return {
      launched,
      next: async () => JSON.parse((await lines.next()).value ?? 'null'),
      exit: async () => ({ code: (await closed)[0] as number | null, errors }),
    }
  }

  const installNode = () => symlinkSync(join(root, 'node_modules/node'), join(folder, 'node_modules/node'))

  test('default: starts the Node 24 beside it with the same arguments', async () => {
    installNode()
    const { next, exit } = launch('exit', '3', '--flag', 'two words')
    expect(await next()).toMatchObject({
      version: expect.stringMatching(/^24\./),
      args: ['exit', '3', '--flag', 'two words'],
    })
    expect(await exit()).toEqual({ code: 3, errors: '' })
  })

  test('behavior: uses the platform package if the install script of node did not run', async () => {
    const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    mkdirSync(join(folder, 'node_modules/node'))
    writeFileSync(join(folder, 'node_modules/node/package.json'), '{ "version": "24.0.0" }')
    symlinkSync(join(root, 'node_modules/node'), join(folder, 'node_modules', platform))
    const { next } = launch('exit', '0')
    expect(await next()).toMatchObject({ version: expect.stringMatching(/^24\./) })
  })

  test.each(['no package at all', 'a package that is too old', 'a package without its program'])(
    'error: %s: prints one line with the fix',
    async (what) => {
      if (what !== 'no package at all') {
        mkdirSync(join(folder, 'node_modules/node'))
        const version = what === 'a package that is too old' ? '22.0.0' : '24.0.0'
        writeFileSync(join(folder, 'node_modules/node/package.json'), JSON.stringify({ version }))
      }
      const { code, errors } = await launch('exit', '0').exit()
      expect(code).toBe(1)
      expect(errors).toMatch(/^mintmark: needs Node 24, .*npm install node-.*@24.*\n$/)
    },
  )

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('behavior: forwards %s exactly once', async (signal) => {
    installNode()
    const { launched, next, exit } = launch()
    await next()
    launched.kill(signal)
    expect(await next()).toEqual({ signal })
    // The program next receives the end of its input, not a second signal.
    launched.stdin.end()
    expect(await next()).toBeNull()
    expect(await exit()).toMatchObject({ code: 7 })
  })

  test('behavior: exits with the signal code of a killed program', async () => {
    installNode()
    expect(await launch('die').exit()).toMatchObject({ code: 128 + 9 })
  })

  test('behavior: killing the launcher with SIGKILL ends the program', async () => {
    installNode()
    const { launched, next, exit } = launch()
    await next()
    launched.kill('SIGKILL')
    expect(await next()).toEqual({ signal: 'disconnect' })
    // The program held the other ends of the pipes, so they close once it has ended.
    await exit()
  })
})

test.runIf(!oldNode)('behavior: starts nothing if the machine has Node 24', () => {
  expect(execFileSync(process.execPath, [join(root, 'bin/mintmark.js'), '--version'], { encoding: 'utf8' })).toMatch(
    /^\d/,
  )
})
