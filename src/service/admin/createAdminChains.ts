import type { AdminChain, AdminChains } from '../../api/admin/chains.ts'
import type { Config } from '../../config/config.ts'
import { resolveChains } from '../../config/resolveChains.ts'
import type { Database, Sql } from '../../db/database.ts'
import type { NamedChain } from '../../sync/chainNames.ts'
import { pauseChain, resumeChain } from '../../sync/leases/lease.ts'
import { runningServers } from '../../sync/leases/livingWorkers.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { BadRequestError, NotFoundError } from '../../util/errors.ts'
import { quantity } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { nameEndpoints } from '../../util/urls/endpointUrls.ts'
import { stateOf } from '../chainOverview.ts'
import { findChain, readChainNames } from '../findChain.ts'
import { type ListedChain, listChains } from '../listChains.ts'

import { createResets } from './createResets.ts'

/** `db`: with a statement timeout, as a client waits. `forWork`: without one, for the statements of a reset. */
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

  async function describe(sql: Sql, chains: readonly ListedChain[]): Promise<AdminChain[]> {
    const nameOf = await readChainNames({ db: sql, config })
    const isServed = (await runningServers(sql)).length > 0
    return chains.map((chain) => {
      const { id, block, head, headAgeMs, configured, wanted, held } = chain
      return {
        id: quantity(id),
        chain: nameOf(id),
        block: block?.toString() ?? null,
        head: head?.toString() ?? null,
        finalized: chain.finalized?.toString() ?? null,
        lag: block === null || head === null ? null : Math.max(0, Number(head - block)),
        headAgeSeconds: headAgeMs === null ? null : Math.floor(headAgeMs / 1_000),
        pausedAt: chain.pausedAt?.toISOString() ?? null,
        configured,
        wanted,
        held,
        collections: Number(chain.collections),
        streams: Number(chain.streams),
        fault: stateOf(chain, isServed),
        endpoints: endpointsOf(id),
      }
    })
  }

  /** Changes nothing if the answer cannot be read, for example while a cluster node is unreachable. */
  async function change(text: string, make: (sql: Sql, chainId: bigint) => Promise<boolean>) {
    const { id } = await findChain({ db, config }, text)
    return db.transaction(async ({ fresh }) => {
      const changed = await make(fresh, id)
      const [found] = await describe(
        fresh,
        (await listChains(fresh, [id])).filter((chain) => chain.id === id),
      )
      return { ...found!, changed }
    })
  }

  return {
    role: config.role,
    async list({ after, limit }) {
      const all = await listChains(db)
      const rest = all.filter(({ id }) => after === null || id > after)
      const page = rest.slice(0, limit)
      const next = rest.length > limit ? String(page.at(-1)!.id) : null
      return { items: await describe(db, page), total: all.length, next }
    },
    pause: (text) => change(text, pauseChain),
    resume: (text) => change(text, resumeChain),
    async reset(text, confirm) {
      const chain = await findChain({ db, config }, text)
      const { id, name } = chain
      if (!isNamed(chain, confirm))
        throw new BadRequestError(
          `confirm is ${JSON.stringify(confirm)}; allowed: ${name} or ${quantity(id)}, the chain that is reset`,
          { details: { parameter: 'confirm' } },
        )
      const done = await resets.reset(id)
      if (done === undefined) throw new NotFoundError(`there is no data of ${name} to reset`)
      const { collections = null, wallets = null, streams = null } = done ?? {}
      return { id: quantity(id), chain: name, done: done !== null, collections, wallets, streams }
    },
  }
}

function isNamed({ id, names }: NamedChain, text: string): boolean {
  return [...names, quantity(id), String(id)].includes(text.toLowerCase())
}
