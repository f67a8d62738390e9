import { UnavailableError } from '../errors.ts'
import type { OpenChain, OpenChains } from '../sync/openChains.ts'
import { unlessAborted } from '../util/wait.ts'

/**
 * A chain that a client waits for, and its head. Throws UnavailableError where no node tells it before the signal aborts: which
 * nodes there are and what they say is the operator's to know, and the log has the cause.
 */
export async function openAtHead(
  openChains: OpenChains,
  chainId: bigint,
  signal: AbortSignal,
): Promise<{ open: OpenChain; head: bigint }> {
  try {
    const open = await openChains.open(chainId, signal)
    return { open, head: (await unlessAborted(open.source.head(signal), signal)).head.number }
  } catch (cause) {
    const message = `no node of chain 0x${chainId.toString(16)} can be asked at the moment, and the log tells why; ask again`
    throw new UnavailableError(message, { cause })
  }
}
