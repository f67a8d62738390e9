import { onTestFinished } from 'vitest'
import { type FakeFullnode, type FakeFullnodeOptions, serveFullnode } from './serveFullnode.ts'

/** Calls `serveFullnode` and closes it with the test. */
export async function startFakeFullnode(options: FakeFullnodeOptions): Promise<FakeFullnode> {
  const served = await serveFullnode(options)
  onTestFinished(served.close)
  return served
}
