import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Address } from '../../util/hex.ts'
import type { MadeFile } from '../fileQuery.ts'
import type { HoldingProof } from './createProver.ts'
import type { ProofWorkerAnswer, ProofWorkerInput, ProofWorkerMessage } from './proofWorker.ts'

/** Proves a holding from a snapshot's CSV file, in a separate thread. undefined: the snapshot does not have it. */
export async function proveFromSnapshot(
  file: MadeFile<unknown>,
  { owner, tokenId }: { owner: Address; tokenId: bigint | null },
): Promise<HoldingProof | undefined> {
  const input: ProofWorkerInput = { owner, tokenId }
  // Source file in a clone, compiled file in an installed package.
  const worker = new Worker(new URL(`./proofWorker${extname(import.meta.url)}`, import.meta.url), { workerData: input })
  // Always has a listener: an unhandled error would end the process, and an exited thread answers no message.
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread that proves a holding ended before it was done')))
  })
  const isOver = ended.catch(() => undefined)

  async function send(message: string | null): Promise<HoldingProof | null> {
    const answered = once(worker, 'message') as Promise<[ProofWorkerAnswer]>
    worker.postMessage(message)
    const [answer] = await Promise.race([answered, ended])
    if ('failed' in answer) throw new Error(answer.failed)
    return answer.done
  }

  try {
    for await (const lines of wholeLines(file.open())) await send(lines)
    return (await send(null)) ?? undefined
  } finally {
    // The thread ends itself: V8 aborts the process if a thread is terminated while it loads.
    worker.postMessage(undefined satisfies ProofWorkerMessage)
    await isOver
  }
}

/** The bytes of a text in chunks that end at line ends. */
async function* wholeLines(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of bytes) {
    // Digits, hex and commas: one byte per character.
    const text = rest + Buffer.from(chunk).toString('latin1')
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    if (end > 0) yield text.slice(0, end)
  }
  if (rest !== '') yield rest
}
