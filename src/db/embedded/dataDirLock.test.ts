import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { DataDirInUseError, lockDataDir } from './dataDirLock.ts'

test('default', async () => {
  const dataDir = await temporaryFolder()
  const lock = lockDataDir(dataDir)
  expect(() => lockDataDir(dataDir)).toThrow(DataDirInUseError)
  lock.release()
  lockDataDir(dataDir).release()
})

test('behavior: ends with its holder, by kill -9 too', async () => {
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
