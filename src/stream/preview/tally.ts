import { quantity } from '../../util/hex.ts'
import type { PreviewCut, StreamPreview } from '../query.ts'

/** Most webhooks that a preview shows. */
const mostSamples = 50
/** Most bytes of all samples: one webhook of the default `webhooks.maxBytes` fits. */
const mostSampleBytes = 5_000_000

type Lists = Record<'logs' | 'txs' | 'txsInternal' | 'erc20Transfers' | 'nftTransfers', readonly unknown[]>

/** Counts the webhooks of a preview, and keeps samples, block by block from the newest down. */
export type Tally = {
  /** Number of blocks so far. */
  blocks(): number
  /** Adds a block with the bodies of its webhooks. */
  add(block: bigint, bodies: readonly string[]): void
  /** The preview, after the first block. `cut`: why it ended before the first requested block. */
  preview(cut: PreviewCut | undefined): StreamPreview
}

export function createTally(chainId: bigint): Tally {
  const matched = { blocks: 0, webhooks: 0, logs: 0, txs: 0, txsInternal: 0, erc20Transfers: 0, nftTransfers: 0 }
  const samples: StreamPreview['samples'] = []
  let blocks = 0
  let newest = 0n
  let oldest = 0n
  let bytes = 0
  /** A webhook that does not fit ends the samples, so that they are the latest ones without gaps. */
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
        chainId: quantity(chainId),
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
