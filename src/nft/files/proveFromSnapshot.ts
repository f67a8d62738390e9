import type { Address } from '../../util/hex.ts'
import type { MadeFile } from '../fileQuery.ts'
import type { HoldingProof } from './createProver.ts'
import type { ProofWorkerInput } from './proofWorker.ts'
import { startThread } from './thread.ts'

/** Proves a holding from a snapshot's CSV file, in a separate thread. undefined: the snapshot does not have it. */
export async function proveFromSnapshot(
  file: MadeFile<unknown>,
  { owner, tokenId }: { owner: Address; tokenId: bigint | null },
): Promise<HoldingProof | undefined> {
  const input: ProofWorkerInput = { owner, tokenId }
  const thread = startThread<string | null, HoldingProof | null>('proofWorker', input)
  try {
    for await (const lines of wholeLines(file.open())) await thread.send(lines)
    return (await thread.send(null)) ?? undefined
  } finally {
    await thread.end()
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
