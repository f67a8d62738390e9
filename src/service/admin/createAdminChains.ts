import type { AdminChain, AdminChains } from '../../api/admin/chains.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import { BadRequestError, NotFoundError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { resolveChains } from '../../resolveChains.ts'
import type { NamedChain } from '../../sync/chainNames.ts'
import { pauseChain, resumeChain } from '../../sync/leases/chainPause.ts'
import { runningServers } from '../../sync/leases/livingWorkers.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { quantity } from '../../util/hex.ts'
import { nameEndpoints } from '../../util/urls/nameEndpoints.ts'
import { stateOf } from '../chainOverview.ts'
import { findChain, readChainNames } from '../findChain.ts'
import { type ListedChain, listChains } from '../listChains.ts'

import { createResets } from './createResets.ts'

/** `db`: its statements have a timeout, as a client waits. `forWork`: without one, for the statements of a reset. */
export type AdminChainsOptions = {
  config: Config
  db: Database
  forWork: Database
  openChains: Pick<OpenChains, 'endpoints'>
  log: Log
  /** How long a client waits for a reset. */
  resetWaitMs?: number | undefined
}

export function createAdminChains(options: AdminChainsOptions): AdminChains {
  const { config, db, forWork, openChains, log, resetWaitMs } = options
  const nodes = new Map(resolveChains(config).map(({ id, rpc }) => [id, rpc]))
  const resets = createResets({ db: forWork, log, waitMs: resetWaitMs })

  function endpointsOf(id: bigint): AdminChain['endpoints'] {
    const known = openChains.endpoints(id)
    if (known) return known
    const rpc = nodes.get(id) ?? []
    if (rpc.length === 0) return null
    return nameEndpoints(rpc).map(({ name }) => ({
      ...{ name, state: 'unasked' as const, calls: 0, failed: 0, averageMs: null, fault: null },
    }))
  }

  async function describe(chains: readonly ListedChain[]): Promise<AdminChain[]> {
    const nameOf = await readChainNames({ db, config })
    const isServed = (await runningServers(db)).length > 0
    return chains.map((chain) => ({
      ...chain,
      name: nameOf(chain.id),
      fault: stateOf(chain, isServed),
      endpoints: endpointsOf(chain.id),
    }))
  }

  async function one(chain: NamedChain): Promise<AdminChain> {
    const [found] = await describe((await listChains(db, [chain.id])).filter(({ id }) => id === chain.id))
    return found!
  }

  return {
    role: config.role,
    async list({ after, limit }) {
      const all = await listChains(db)
      const rest = all.filter(({ id }) => after === null || id > after)
      const page = await describe(rest.slice(0, limit))
      return { items: page, total: all.length, next: rest.length > limit ? String(page.at(-1)!.id) : null }
    },
    async pause(text) {
      const chain = await findChain({ db, config }, text)
      const changed = await pauseChain(db, chain.id)
      return { ...(await one(chain)), changed }
    },
    async resume(text) {
      const chain = await findChain({ db, config }, text)
      const changed = await resumeChain(db, chain.id)
      return { ...(await one(chain)), changed }
    },
    async reset(text, confirm) {
      const chain = await findChain({ db, config }, text)
      const { id, name } = chain
      if (!isNamed(chain, confirm))
        throw new BadRequestError(
          `confirm is ${JSON.stringify(confirm)}; allowed: ${name} or ${quantity(id)}, the chain that is reset`,
          { details: { parameter: 'confirm' } },
        )
      const done = await resets.reset(id)
      if (done === undefined) throw new NotFoundError(`nothing is stored of ${name}: there is nothing to reset`)
      return { id, name, done }
    },
  }
}

function isNamed({ id, names }: NamedChain, text: string): boolean {
  return [...names, quantity(id), String(id)].includes(text.toLowerCase())
}
