import type { OpenChain, OpenChains } from '../sync/openChains.ts'
import { UnavailableError } from '../util/errors.ts'
import { quantity } from '../util/hex.ts'
import { unlessAborted } from '../util/wait.ts'

/**
 * Opens a chain for a request, and requests its head. Throws UnavailableError if no node returns it before the signal aborts. The message contains no
 * node and no reason, which are for the operator: the log has them.
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
    const message = `no node of chain ${quantity(chainId)} can be queried at the moment, and the log shows why; retry`
    throw new UnavailableError(message, { cause })
  }
}
