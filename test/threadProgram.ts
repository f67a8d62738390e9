import { getPriority } from 'node:os'
import { serveThread } from '../src/util/threads/serveThread.ts'

/** The task that a test gives to a thread. */
export type ThreadDeed = {
  deed: 'answer' | 'priority' | 'throw' | 'exit' | 'hang' | 'fill'
  bytes?: Uint8Array<ArrayBuffer>
}

/** The program of a thread that performs the given task, even one that ends the thread. */
serveThread<ThreadDeed, { bytes: Uint8Array<ArrayBuffer> | undefined }>(({ deed, bytes }) => {
  if (deed === 'throw') throw new RangeError('thrown in the thread')
  if (deed === 'exit') process.exit(3)
  while (deed === 'hang');
  if (deed === 'priority') return { answer: { bytes: Uint8Array.of(getPriority()) }, transfer: [] }
  const kept: number[][] = []
  while (deed === 'fill') kept.push(Array.from({ length: 10_000 }, (_, i) => i + Math.random()))
  return { answer: { bytes }, transfer: bytes ? [bytes.buffer] : [] }
})
