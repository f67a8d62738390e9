import { type Hex, quantity } from '../../../util/hex.ts'
import type { Header, Rpc, RpcOptions } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'

/** Hashes of a block's transactions, in order; undefined if no node returns the block. Throws RpcError. */
export async function readTransactionHashes(rpc: Rpc, header: Header, options: RpcOptions): Promise<Hex[] | undefined> {
  if (header.transactionCount === 0) return []
  const ways = [
    { method: 'eth_getBlockByHash', at: header.hash },
    { method: 'eth_getBlockByNumber', at: quantity(header.number) },
  ]
  let fault: RpcError | undefined
  for (const { method, at } of ways) {
    try {
      const hashes = hashesOf(header, await rpc.call<unknown>(method, [at, false], options))
      if (hashes) return hashes
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      fault = error
    }
  }
  if (fault) throw fault
  return undefined
}

function hashesOf(header: Header, answer: unknown): Hex[] | undefined {
  const block = answer as { hash?: unknown; transactions?: unknown } | null
  if (typeof block?.hash !== 'string' || block.hash.toLowerCase() !== header.hash) return undefined
  if (!Array.isArray(block.transactions) || block.transactions.length !== header.transactionCount) return undefined
  // Some nodes return whole transactions whatever was requested.
  return block.transactions.map(
    (entry: unknown) => String((entry as { hash?: unknown } | null)?.hash ?? entry).toLowerCase() as Hex,
  )
}

/** The receipts of these transactions, one call each, for nodes without receipts of whole blocks. Throws RpcError. */
export async function readReceiptsSingly(rpc: Rpc, hashes: readonly Hex[], options: RpcOptions): Promise<unknown[]> {
  const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
  const answers = await rpc.batch<unknown>(calls, options)
  const failed = answers.find((answer) => answer instanceof Error)
  if (failed) throw failed
  return answers
}
