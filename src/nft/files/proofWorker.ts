import { workerData } from 'node:worker_threads'
import type { Address } from '../../util/hex.ts'
import { createProver, type HoldingProof } from './createProver.ts'
import { holderColumns } from './holderText.ts'
import { serve } from './thread.ts'

// Program of a thread that proves a holding from the rows of a snapshot: on the main thread, hashing them would delay
// pages. Its messages are whole CSV lines; null: end of lines.

export type ProofWorkerInput = { owner: Address; tokenId: bigint | null }

const prover = createProver(workerData as ProofWorkerInput)

serve((lines: string | null): HoldingProof | null => {
  if (lines === null) return prover.finish() ?? null
  for (const line of lines.split('\n')) {
    if (line === '' || line === holderColumns.join()) continue
    const [tokenId, owner, amount] = line.split(',') as [string, string, string]
    prover.add(tokenId, owner, amount)
  }
  return null
})
