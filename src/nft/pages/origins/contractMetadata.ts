import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../../../db/database.ts'
import { createLru } from '../../../util/createLru.ts'
import type { ContractMetadataJson } from '../../metadata/parse/parseContractMetadata.ts'
import { readContractMetadata, requestContracts } from '../../metadata/store/contractStore.ts'
import type { DeploymentRequest } from '../../originQuery.ts'

/** Cached contract metadata, and lifetime of an entry. */
const mostKept = 20_000
const keptMs = 10_000
const absentMs = 10_000

/** Poll interval of a waiting request. */
const lookMs = 50

/** Metadata of contracts, in the requested order; null: not known within `waitMs`. 0 requests none. */
export type ContractMetadataQuery = (
  requested: readonly Pick<DeploymentRequest, 'state'>[],
  waitMs: number,
) => Promise<(ContractMetadataJson | null)[]>

/** `db`: where metadata is requested and read. */
export function createContractMetadata(db: Sql): ContractMetadataQuery {
  const kept = createLru<string, ContractMetadataJson>(mostKept, { ttl: keptMs })
  /** Failed lookups; true: also waited for. */
  const absent = createLru<string, boolean>(mostKept, { ttl: absentMs })
  const nameOf = ({ state }: Pick<DeploymentRequest, 'state'>) => `${state.epoch}:${state.id}`

  async function load(missing: readonly Pick<DeploymentRequest, 'state'>[], waited: boolean): Promise<void> {
    const found = await readContractMetadata(
      db,
      missing.map(({ state }) => state),
    )
    for (const one of missing) {
      const metadata = found.get(one.state.id)
      if (metadata) kept.set(nameOf(one), metadata)
      else absent.set(nameOf(one), waited)
    }
  }

  return async (requested, waitMs) => {
    const missing = () => requested.filter((one) => !kept.has(nameOf(one)))
    const unknown = missing().filter((one) => !absent.has(nameOf(one)))
    if (unknown.length > 0) await load(unknown, false)
    const wanted = waitMs === 0 ? [] : missing().filter((one) => !absent.get(nameOf(one)))
    if (wanted.length > 0) {
      await requestContracts(
        db,
        wanted.map(({ state }) => state),
      )
      const end = performance.now() + waitMs
      while (missing().length > 0 && performance.now() < end) {
        await pause(lookMs)
        await load(missing(), true)
      }
    }
    return requested.map((one) => kept.get(nameOf(one)) ?? null)
  }
}
