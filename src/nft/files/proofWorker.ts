import { parentPort, workerData } from 'node:worker_threads'
import type { Address } from '../../util/hex.ts'
import { createProver, type HoldingProof } from './createProver.ts'
import { holderColumns } from './holderText.ts'

// Program of a thread that proves a holding from the rows of a snapshot: on the main thread, hashing them would delay
// pages. Each message gets one reply, in order.

export type ProofWorkerInput = { owner: Address; tokenId: bigint | null }

/** Whole CSV lines; null: end of lines; undefined: the thread ends without a reply. */
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
