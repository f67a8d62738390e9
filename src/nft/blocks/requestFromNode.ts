import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { UnavailableError } from '../../util/errors.ts'
import { quantity } from '../../util/hex.ts'
import { unlessAborted } from '../../util/wait.ts'

/** How long a client's request waits for nodes. */
const patienceMs = 8_000

/**
 * Requests data for a client's answer from the nodes of a chain. Throws UnavailableError on a timeout: the message has
 * the missing data, but neither node nor reason, which are for the operator.
 */
export async function requestFromNode<T>(
  openChains: Pick<OpenChains, 'open'>,
  chainId: bigint,
  /** The requested data, as in "the time of blocks". */
  what: string,
  request: (source: EvmSource, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const { source } = await openChains.open(chainId, signal)
    return await unlessAborted(request(source, signal), signal)
  } catch (cause) {
    throw new UnavailableError(
      `${what} cannot be read at the moment, as no node of chain ${quantity(chainId)} returns it; the log shows why; retry`,
      { cause },
    )
  }
}
