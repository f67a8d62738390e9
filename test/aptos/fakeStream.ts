import { onTestFinished } from 'vitest'
import { type FakeStream, type FakeStreamOptions, serveStream } from './serveStream.ts'

/** Calls `serveStream` and closes it with the test. */
export async function startFakeStream(options: FakeStreamOptions): Promise<FakeStream> {
  const served = await serveStream(options)
  onTestFinished(served.close)
  return served
}
