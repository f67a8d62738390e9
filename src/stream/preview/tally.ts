import type { PreviewCut, StreamPreview } from '../query.ts'

/** Webhooks that a preview shows. */
const mostSamples = 50
/** Of all samples together: one webhook as large as they are by default fits. */
const mostSampleBytes = 5_000_000

type Lists = Record<'logs' | 'txs' | 'txsInternal' | 'erc20Transfers' | 'nftTransfers', readonly unknown[]>

/** What a preview has seen so far, block by block from the newest down. */
export type Tally = {
  /** Blocks seen. */
  blocks(): number
  /** The bodies of a block's webhooks. */
  add(block: bigint, bodies: readonly string[]): void
  /** Of one block at least. `cut`: why it ended before the first block that was asked for. */
  preview(cut: PreviewCut | undefined): StreamPreview
}

export function createTally(chainId: bigint): Tally {
  const matched = { blocks: 0, webhooks: 0, logs: 0, txs: 0, txsInternal: 0, erc20Transfers: 0, nftTransfers: 0 }
  const samples: StreamPreview['samples'] = []
  let blocks = 0
  let newest = 0n
  let oldest = 0n
  let bytes = 0
  /** One that does not fit ends the samples: those that are shown are the latest, without gaps. */
  let isFull = false

  function show(body: string, parsed: Record<string, unknown>): void {
    const size = Buffer.byteLength(body)
    isFull ||= samples.length === mostSamples || bytes + size > mostSampleBytes
    if (isFull) return
    bytes += size
    samples.push(parsed)
  }

  return {
    blocks: () => blocks,
    add(block, bodies) {
      if (blocks === 0) newest = block
      oldest = block
      blocks += 1
      if (bodies.length > 0) matched.blocks += 1
      for (const body of bodies) {
        const parsed = JSON.parse(body) as Lists & Record<string, unknown>
        matched.webhooks += 1
        for (const list of ['logs', 'txs', 'txsInternal', 'erc20Transfers', 'nftTransfers'] as const)
          matched[list] += parsed[list].length
        show(body, parsed)
      }
    },
    preview(cut) {
      const shown = `the samples are the latest ${samples.length} of ${matched.webhooks} webhooks; at most ${mostSamples} and ${mostSampleBytes} bytes are shown`
      return {
        chainId: `0x${chainId.toString(16)}`,
        fromBlock: String(oldest),
        toBlock: String(newest),
        blocks,
        cutShort: [...(cut ? [cut] : []), ...(isFull ? [{ reason: 'samples' as const, message: shown }] : [])],
        matched,
        samples,
      }
    },
  }
}
