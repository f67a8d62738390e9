import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { DataDirError } from './dataDir.ts'
import { DataDirInUseError, lockDataDir } from './dataDirLock.ts'

test('default', async () => {
  const dataDir = await temporaryFolder()
  const lock = lockDataDir(dataDir)
  expect(() => lockDataDir(dataDir)).toThrow(DataDirInUseError)
  lock.release()
  lockDataDir(dataDir).release()
})

test('behavior: only the owner can open the lock file, so no other user can hold the lock', async () => {
  const dataDir = await temporaryFolder()
  const path = join(dataDir, 'lock')
  lockDataDir(dataDir).release()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  chmodSync(path, 0o644)
  lockDataDir(dataDir).release()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('error: rejects a lock path that is a link or a folder', async () => {
  const dataDir = await temporaryFolder()
  const path = join(dataDir, 'lock')
  symlinkSync(join(dataDir, 'elsewhere'), path)
  expect(() => lockDataDir(dataDir)).toThrow(DataDirError)
  expect(readdirSync(dataDir)).toEqual(['lock'])
  rmSync(path)
  mkdirSync(path)
  expect(() => lockDataDir(dataDir)).toThrow(/is not a file/)
})

test('error: rejects a lock file of another program', async () => {
  const dataDir = await temporaryFolder()
  writeFileSync(join(dataDir, 'lock'), 'These are forty-one bytes of another program.')
  expect(() => lockDataDir(dataDir)).toThrow(DataDirError)
  expect(() => lockDataDir(dataDir)).toThrow(/lock is not a lock of Mintmark's: remove it/)
})

test.runIf(process.getuid?.() === 0)('error: root rejects a lock file of another user', async () => {
  const dataDir = await temporaryFolder()
  const path = join(dataDir, 'lock')
  writeFileSync(path, '')
  chownSync(path, 12_345, 12_345)
  expect(() => lockDataDir(dataDir)).toThrow(/belongs to the user 12345/)
  // The server has its own user, and root runs a command beside it.
  chownSync(dataDir, 12_345, 12_345)
  lockDataDir(dataDir).release()
})

test('behavior: the lock is released when its process ends, even by kill -9', async () => {
  const dataDir = await temporaryFolder()
  const module = join(import.meta.dirname, 'dataDirLock.ts')
  const program = `
    const { lockDataDir } = await import(${JSON.stringify(module)})
    globalThis.lock = lockDataDir(${JSON.stringify(dataDir)})
    console.log('locked')
    setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  expect(() => lockDataDir(dataDir)).toThrow(DataDirInUseError)
  const exited = once(holder, 'exit')
  holder.kill('SIGKILL')
  await exited
  lockDataDir(dataDir).release()
})
