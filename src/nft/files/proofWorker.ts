import { workerData } from 'node:worker_threads'
import { createProver, type HoldingProof, type RequestedProof } from './createProver.ts'
import { createOwnRows, rowsIn } from './heldRows.ts'
import { holderColumns } from './holderText.ts'
import { serve } from './thread.ts'

// Program of a thread that proves holdings from the rows of a snapshot: on the main thread, hashing them would delay
// pages.

/** The only proof that is requested, so that the thread need not keep the rows of others; null: any. */
export type ProofWorkerInput = RequestedProof | null

/** Whole CSV lines, or, after the last line, a requested proof. */
export type ProofWorkerMessage = { lines: string } | { requested: RequestedProof }

const only = workerData as ProofWorkerInput
const own = only && createOwnRows(only)
const prover = createProver()
const kept: Buffer[] = []

serve((message: ProofWorkerMessage): HoldingProof | null => {
  if ('requested' in message) {
    const { requested } = message
    return prover.prove(requested, own?.rows ?? rowsIn(kept, requested.owner)) ?? null
  }
  const { lines } = message
  for (const line of lines.split('\n')) {
    if (line === '' || line === holderColumns.join()) continue
    const [tokenId, owner, amount] = line.split(',') as [string, string, string]
    prover.add(tokenId, owner, amount)
    own?.add(tokenId, owner, amount)
  }
  if (!own) kept.push(Buffer.from(lines, 'latin1'))
  return null
})
