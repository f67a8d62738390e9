import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inject, vi } from 'vitest'
import { patience } from './patience.ts'

const root = join(import.meta.dirname, '..')

let built: Promise<string> | undefined

/**
 * Mintmark's program for processes that tests start: the sources bundled into few files, which load in a third of the time.
 * The first test that needs it builds it, once per run.
 */
export function builtProgram(): Promise<string> {
  built ??= build()
  return built
}

async function build(): Promise<string> {
  // Clones may share a node_modules folder, so the name identifies the clone.
  const clone = createHash('sha256').update(root).digest('hex').slice(0, 8)
  const folder = join(root, 'node_modules/.cache', `program-${clone}`)
  const scratch = dirname(inject('postgres').cluster)
  const done = join(scratch, 'program-built')
  const isFirst = await mkdir(join(scratch, 'program')).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'bundleProgram.ts'), folder])
    await writeFile(done, '')
  } else await vi.waitUntil(() => existsSync(done), patience)
  return join(folder, 'main.js')
}
