import { mkdir } from 'node:fs/promises'
import { inject } from 'vitest'
import { copyCluster } from './copyCluster.ts'

/**
 * Puts an empty database into the data folder, as the first start would, and gives the folder. The database is a copy of the one that
 * was made for this run, which saves a test that is about something else a second of initdb.
 */
export async function newCluster(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  await copyCluster(inject('postgres').cluster, dataDir)
  return dataDir
}
