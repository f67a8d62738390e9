import { parentPort, workerData } from 'node:worker_threads'
import type { Address } from '../../util/hex.ts'
import { createProver, type HoldingProof } from './createProver.ts'
import { holderColumns } from './holderText.ts'

// The program of a thread that proves a holding from the rows of a snapshot: hashing them would hold up the pages that the main thread
// answers. Each message is answered by one, in order.

export type ProofWorkerInput = { owner: Address; tokenId: bigint | null }

/** Whole lines of a CSV file; null: there are no more; undefined, which has no answer: the thread ends. */
export type ProofWorkerMessage = string | null | undefined

export type ProofWorkerAnswer = { done: HoldingProof | null } | { failed: string }

const prover = createProver(workerData as ProofWorkerInput)

parentPort!.on('message', (lines: ProofWorkerMessage) => {
  if (lines === undefined) return parentPort!.close()
  try {
    parentPort!.postMessage(work(lines))
  } catch (error) {
    parentPort!.postMessage({ failed: String((error as Error).message) } satisfies ProofWorkerAnswer)
  }
})

function work(lines: string | null): ProofWorkerAnswer {
  if (lines === null) return { done: prover.finish() ?? null }
  for (const line of lines.split('\n')) {
    if (line === '' || line === holderColumns.join()) continue
    const [tokenId, owner, amount] = line.split(',') as [string, string, string]
    prover.add(tokenId, owner, amount)
  }
  return { done: null }
}
