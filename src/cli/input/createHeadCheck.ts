import type { Coin } from '../../coin/decode/coin.ts'
import type { NetworkSettings } from '../../coin/networkSettings.ts'
import { readChainId, readNetworkRow } from '../../coin/networkStore.ts'
import type { Database } from '../../db/database.ts'
import { noopLog } from '../../util/log.ts'
import { CoinFileError } from './readCoinFile.ts'

/** Rejects records above the newest version of the chain, as these cannot exist. */
export type HeadCheck = {
  /** `at`: position of the record. Throws CoinFileError. */
  hold(coin: Coin, at: string): Promise<void>
}

/** Timeout of the network's source, in milliseconds. */
const timeoutMs = 30_000

/** Uses the head that servers saw last. A record above it queries the network's source, once. */
export function createHeadCheck(options: {
  db: Database
  /** The name of the network, and the id of its row. */
  network: string
  networkId: number
  settings: NetworkSettings
  signal: AbortSignal
}): HeadCheck {
  const { db, network, networkId, settings, signal } = options
  let head: bigint | undefined
  let requested: Promise<bigint> | undefined

  async function requestHead(): Promise<bigint> {
    const chainId = settings.chainId ?? (await readChainId(db, networkId))
    // Imported on demand: every command starts faster without network code.
    const [{ openSource }, { createMetrics }] = await Promise.all([
      import('../../coin/openSource.ts'),
      import('../../metrics/metrics.ts'),
    ])
    const source = await openSource({
      ...{ name: network, settings, log: noopLog, metrics: createMetrics() },
      chainId: () => chainId,
    })
    try {
      return (await source.ledger(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))).head
    } finally {
      await source.close()
    }
  }

  return {
    async hold({ version }, at) {
      head ??= (await readNetworkRow(db, networkId)).headVersion ?? -1n
      if (version <= head) return
      requested ??= requestHead()
      const reported = await requested.catch((cause: unknown) => {
        signal.throwIfAborted()
        const known = head === -1n ? 'no head is known' : `the last seen head is ${head}`
        throw new CoinFileError(
          `${at}: whether ${network} has version ${version} cannot be determined, as ${known} and its source does not show`,
          { cause },
        )
      })
      if (reported > head) head = reported
      if (version > head)
        throw new CoinFileError(
          `${at}: transaction_version_created is ${version}, but the head of ${network} is ${head}`,
        )
    },
  }
}
