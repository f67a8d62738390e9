import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { endWithThisProcess } from './endWithThisProcess.ts'

/** A folder that goes with the test. Hooks run in reverse order, so what is started later is stopped before. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-folder-'))
  const reaper = endWithThisProcess(folder)
  onTestFinished(() => reaper.end())
  return folder
}
