// @module-tag system

import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporaryFolder.ts'

const main = join(import.meta.dirname, '../main.ts')

async function version(home: string): Promise<string> {
  return (await promisify(execFile)(process.execPath, [main, '--version'], { env: { HOME: home } })).stdout
}

test('default: the compile cache of one start is reused by the next, in the home folder of the user', async () => {
  const home = await temporaryFolder()
  const first = await version(home)
  const kept = await readdir(join(home, '.cache/mintmark/compiled'), { recursive: true })
  expect(kept.length).toBeGreaterThan(100)
  expect(await version(home)).toBe(first)
  expect(await readdir(join(home, '.cache/mintmark/compiled'), { recursive: true })).toEqual(kept)
})

test('behavior: the command runs without a compile cache if the home folder is missing or not writable', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, '.cache'), 'a file where the folder would be')
  expect(await version(folder)).toMatch(/^\d/)
  expect(await version(join(folder, 'gone'))).toMatch(/^\d/)
  expect(await readdir(folder)).toEqual(['.cache'])
})
