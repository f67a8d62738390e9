import type { Config } from '../../config/config.ts'
import { resolveChains } from '../../config/resolveChains.ts'
import type { Database } from '../../db/database.ts'
import { createStreamDemand } from '../../stream/definition/createStreamDemand.ts'
import type { StreamDemand } from '../../stream/demand.ts'
import { UnavailableError } from '../../util/errors.ts'
import { quantity } from '../../util/hex.ts'

/**
 * Stream changes for commands: as in the API, but without node requests and test webhooks. Throws UnavailableError if a
 * change needs the head of a chain that no server follows.
 */
export function openStreams(db: Database, config: Config): StreamDemand {
  return createStreamDemand({
    db,
    chains: resolveChains(config),
    secretOverlapMs: config.webhooks.secretOverlapMs,
    async head(chainId) {
      throw new UnavailableError(
        `no server follows chain ${quantity(chainId)}, so its next block is not known: resume from the pause (--from pause), or start a server first`,
      )
    },
    async linkedHead(chainId) {
      throw new UnavailableError(
        `the server is still catching up with chain ${quantity(chainId)}, so its next block is not known: resume from the pause (--from pause), or by POST /streams/evm/ID/status`,
      )
    },
    async sendTest() {
      return { ok: false, reason: 'commands send nothing' }
    },
  })
}
