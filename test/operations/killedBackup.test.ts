// @module-tag system

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeBackupFile } from '../../src/db/backup/backupFile.ts'
import { openUnfinished } from '../../src/db/backup/unfinishedFile.ts'
import { commandEnv } from '../commandEnv.ts'
import { runCommand } from '../commandLine.ts'
import { createTestDatabase } from '../database.ts'
import { builtProgram } from '../program.ts'
import { killProcess } from '../serviceProcess.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const longAgo = new Date(Date.now() - 600_000)

const age = (path: string) => utimes(path, longAgo, longAgo)

/** Starts a backup that waits for a locked table, and kills it. */
async function killedBackup(url: string, file: string): Promise<void> {
  const child = spawn(process.execPath, [await builtProgram(), 'backup', file, '--database-url', url], {
    env: commandEnv,
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  await Promise.race([
    expect.poll(async () => (await readdir(join(file, '..'))).length).toBe(1),
    ended.then(() => Promise.reject(new Error('the backup ended'))),
  ])
  await killProcess(child)
}

test('behavior: the file of a killed backup does not block a later backup, which removes it once its writer is dead', async () => {
  const t = await createTestDatabase()
  onTestFinished(() => t.drop())
  const folder = await temporaryFolder()
  const file = join(folder, 'nightly')
  const blocker = await t.db.connect()
  await blocker.query('BEGIN')
  await blocker.query('LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE')
  await killedBackup(t.url, file)
  await blocker.end()
  const [leftover] = await readdir(folder)

  const backup = (path: string) => runCommand(['backup', path, '--database-url', t.url])
  expect(await backup(file)).toMatchObject({ code: 0 })
  // At this point, no process can know that the writer is dead.
  expect((await readdir(folder)).sort()).toEqual(['nightly', leftover])
  await age(join(folder, leftover!))
  expect(await backup(`${file}-2`)).toMatchObject({ code: 0 })
  expect((await readdir(folder)).sort()).toEqual(['nightly', 'nightly-2'])
})

test('behavior: a backup file that is being written is marked, and no other backup removes it', async () => {
  const folder = await temporaryFolder()
  await using slow = await openUnfinished(join(folder, 'slow'), 20)
  const [name] = await readdir(folder)
  await age(join(folder, name!))
  await expect.poll(async () => Date.now() - (await stat(join(folder, name!))).mtimeMs).toBeLessThan(60_000)
  await writeBackupFile(join(folder, 'quick'), frames())
  await slow.finish()
  expect((await readdir(folder)).sort()).toEqual(expect.arrayContaining(['quick', 'slow']))
})

test('error: of two concurrent backups to one name, the later one is rejected and leaves no file', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'same')
  {
    await using first = await openUnfinished(path)
    await writeBackupFile(path, frames())
    await expect(first.finish()).rejects.toMatchObject({ code: 'BACKUP_EXISTS' })
  }
  expect(await readdir(folder)).toEqual(['same'])
})

async function* frames(): AsyncGenerator<Buffer> {
  yield Buffer.from('one')
}
