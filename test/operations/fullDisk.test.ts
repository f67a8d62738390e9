import { execFile } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { silentLog } from '../../src/log.ts'
import { createService } from '../../src/service.ts'
import { runCommand } from '../commandLine.ts'
import { testApiKey } from '../mintmark.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const run = promisify(execFile)

/** Mounts a disk of 400 MB in memory for the folder; false: this user may not mount one. */
async function mountDisk(folder: string): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  return run('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', folder]).then(
    () => true,
    () => false,
  )
}

/** Writes until there is no room for a byte more. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const size of [1_048_576, 4_096, 1])
      for (let full = false; !full; )
        try {
          writeSync(file, Buffer.alloc(size, 1))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
          full = true
        }
  } finally {
    closeSync(file)
  }
}

test('error: answers, /ready, metrics and status say that the disk is full, until there is room again', async (context) => {
  const disk = await temporaryFolder()
  if (!(await mountDisk(disk))) return context.skip('only root may mount a disk to fill')
  onTestFinished(async () => void (await run('umount', ['-l', disk])))
  const dataDir = join(disk, 'data')
  mkdirSync(dataDir)
  const config = parseConfig({ port: 0, apiKey: testApiKey, dataDir, chains: { eth: { rpc: ['http://127.0.0.1:1'] } } })
  const service = await createService({ config, log: silentLog })
  onTestFinished(service.close)
  const { url } = service
  const ask = (path: string) => fetch(url + path, { headers: { 'x-api-key': testApiKey } })
  /** The first request for a contract writes a row. */
  const order = (i: number) => ask(`/api/v2/nft/0x${i.toString(16).padStart(40, '0')}`)
  const waitingFor = async () => {
    const body = (await (await ask('/ready')).json()) as { details?: { waitingFor: string[] } }
    return body.details?.waitingFor ?? []
  }
  const metric = async () =>
    /^mintmark_disk_fault\{disk="database"\} (\d)$/m.exec(await (await ask('/metrics')).text())?.[1]
  expect(await waitingFor()).not.toContain('the disk of the database is full')

  const filler = join(disk, 'filler')
  fill(filler)
  await expect.poll(waitingFor).toContain('the disk of the database is full')
  expect(await metric()).toBe('1')
  expect((await ask('/ready')).status).toBe(503)
  const status = await runCommand(['status', '--data', dataDir])
  expect(status.out).toContain('nothing can be written: the disk of the database is full')
  // Small writes find room in existing files until that is used up.
  let refused: Response | undefined
  for (let i = 0; i < 500 && refused?.status !== 503; i++) refused = await order(i)
  expect(refused!.status).toBe(503)
  expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await refused!.json()).toMatchObject({ message: expect.stringContaining('the disk of the database is full') })
  // Stored data is still served.
  expect((await ask('/streams/evm?limit=1')).status).toBe(200)

  rmSync(filler)
  await expect.poll(waitingFor).not.toContain('the disk of the database is full')
  expect(await metric()).toBe('0')
  expect((await order(1_000)).status).toBe(200)
})
