import type { Header } from '../chain/evm/rpc/rpc.ts'
import type { OpenChain, OpenChains } from '../sync/openChains.ts'
import { UnavailableError } from '../util/errors.ts'
import { quantity } from '../util/hex.ts'
import { unlessAborted } from '../util/wait.ts'

type Opened = { open: OpenChain; head: bigint }

/**
 * Opens a chain for a request, and requests its head. Throws UnavailableError if no node returns it before the signal aborts. The message contains no
 * node and no reason, which are for the operator: the log has them.
 */
export function openAtHead(openChains: OpenChains, chainId: bigint, signal: AbortSignal): Promise<Opened> {
  return openWith(openChains, chainId, signal, async (open, head) => ({ open, head: head.number }))
}

/**
 * The same head. undefined: no node that has it also has its parent. So a node may have reported a head that is above its chain.
 */
export function readLinkedHead(
  openChains: OpenChains,
  chainId: bigint,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  return openWith(openChains, chainId, signal, async ({ source }, head) => {
    if (head.number === 0n) return head.number
    const parent = await source.headerUnder(head, head.number - 1n, signal)
    return parent?.hash === head.parentHash ? head.number : undefined
  })
}

async function openWith<T>(
  openChains: OpenChains,
  chainId: bigint,
  signal: AbortSignal,
  read: (open: OpenChain, head: Header) => Promise<T>,
): Promise<T> {
  try {
    const open = await openChains.open(chainId, signal)
    const { head } = await unlessAborted(open.source.head(signal), signal)
    return await unlessAborted(read(open, head), signal)
  } catch (cause) {
    const message = `no node of chain ${quantity(chainId)} can be queried at the moment, and the log shows why; retry`
    throw new UnavailableError(message, { cause })
  }
}
