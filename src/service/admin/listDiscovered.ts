import type { AdminCollections, ListedReport } from '../../api/admin/collections.ts'
import type { Config } from '../../config/config.ts'
import { resolveChains } from '../../config/resolveChains.ts'
import type { Sql } from '../../db/database.ts'
import { dateOf } from '../../nft/blocks/createBlockTimes.ts'
import {
  countDiscovered,
  type DiscoveredContract,
  type DiscoveredPlace,
  listDiscovered,
} from '../../nft/pages/collections/discoveredList.ts'
import { requestNames } from '../../nft/store/knownContracts.ts'
import { BadRequestError } from '../../util/errors.ts'
import { type Address, quantity } from '../../util/hex.ts'
import { findFilterChain, readChainNames } from '../findChain.ts'

/** Lists the contracts discovered in blocks. Contracts get their names after the first page that returns them. */
export function createDiscoveredList({ config, db }: { config: Config; db: Sql }): AdminCollections['discovered'] {
  return async ({ chain, order, after, limit }) => {
    const chains = await discoveringChains({ config, db }, chain)
    const nameOf = await readChainNames({ db, config })
    const { contracts, next } = await listDiscovered(db, {
      chains,
      order,
      limit,
      after: after === null ? null : placeOf(after),
    })
    await nameShown(db, contracts)
    return {
      items: contracts.map((contract) => discoveredReport(contract, nameOf(contract.chainId))),
      total: await countDiscovered(db, chains),
      next: next && `${next.value} ${next.chainId} ${next.block} ${next.address}`,
    }
  }
}

/** The chains of a filter, or all chains, that discover contracts. */
async function discoveringChains(of: { config: Config; db: Sql }, chain: string | null): Promise<bigint[]> {
  const discovering = resolveChains(of.config).filter(({ discover }) => discover)
  const chosen = chain === null ? undefined : await findFilterChain(of, chain)
  const chains = discovering.filter(({ id }) => !chosen || id === chosen.id)
  if (chains.length > 0) return chains.map(({ id }) => id)
  const names = discovering.map(({ name }) => name).join(', ')
  throw new BadRequestError(
    chosen
      ? `chain is ${chosen.name}, which discovers no contracts: set chains.${chosen.name}.discover to true; allowed: ${names || 'no chain of this server'}`
      : 'order needs a chain that discovers contracts, and this server has none: set chains.NAME.discover to true',
    { details: { parameter: chosen ? 'chain' : 'order' } },
  )
}

async function nameShown(db: Sql, contracts: readonly DiscoveredContract[]): Promise<void> {
  const unnamed = contracts.flatMap(({ chainId, address, state }) => {
    const isNew = state?.standard && isKnown(state) && state.checkedAt === null && state.retryAt === null
    return isNew ? [{ chainId, address, standard: state.standard! }] : []
  })
  for (const [chainId, own] of Map.groupBy(unnamed, (contract) => contract.chainId))
    await requestNames(db, chainId, own, { discovered: true })
}

const isKnown = ({ status }: { status: string }) => status === 'known'

function discoveredReport({ chainId, address, state, ...seen }: DiscoveredContract, chain: string): ListedReport {
  return {
    chain,
    chainId: quantity(chainId),
    address,
    name: state?.name ?? null,
    symbol: state?.symbol ?? null,
    standard: state?.standard ?? null,
    tokens: String(state?.tokens ?? 0n),
    status: state?.status ?? 'known',
    synced: state?.synced ?? false,
    progress: state?.progress ?? 0,
    possibleSpam: state?.possibleSpam ?? false,
    verified: state?.verified ?? false,
    discovery: {
      firstBlock: String(seen.firstBlock),
      firstSeenAt: dateOf(seen.firstTime).toISOString(),
      transfers: String(seen.transfers),
      mints: String(seen.mints),
    },
  }
}

function placeOf(text: string): DiscoveredPlace {
  const [value, chainId, block, address] = text.split(' ') as [string, string, string, Address]
  return { value: BigInt(value), chainId: BigInt(chainId), block: BigInt(block), address }
}
