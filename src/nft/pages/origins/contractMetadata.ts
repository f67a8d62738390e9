import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../../../db/database.ts'
import { createLru } from '../../../util/createLru.ts'
import type { ContractMetadataJson } from '../../metadata/parse/parseContractMetadata.ts'
import { readContractMetadata, requestContracts } from '../../metadata/store/contractStore.ts'
import type { DeploymentRequest, OriginQuery } from '../../originQuery.ts'

/** Cached contract metadata, and lifetime of an entry. */
const mostKept = 20_000
const keptMs = 10_000
const absentMs = 10_000

/** How long a request waits that names the contracts, and its poll interval. */
const waitMs = 1_000
const lookMs = 50

/** Interval between requests for the metadata of a contract that pages only show. */
const shownEveryMs = 60_000

/** `db`: where metadata is requested and read. */
export function createContractMetadata(db: Sql): OriginQuery['metadata'] {
  const kept = createLru<string, ContractMetadataJson>(mostKept, { ttl: keptMs })
  /** Failed lookups; true: also waited for. */
  const absent = createLru<string, boolean>(mostKept, { ttl: absentMs })
  /** Requested lately; the metadata may be on its way. */
  const shown = createLru<string, true>(mostKept, { ttl: shownEveryMs })
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

  return async (requested, { isNamed }) => {
    const missing = () => requested.filter((one) => !kept.has(nameOf(one)))
    const unknown = missing().filter((one) => !absent.has(nameOf(one)))
    if (unknown.length > 0) await load(unknown, false)
    const wanted = missing().filter((one) => !(isNamed ? absent.get(nameOf(one)) : shown.has(nameOf(one))))
    if (wanted.length > 0)
      await requestContracts(
        db,
        wanted.map(({ state }) => state),
      )
    for (const one of wanted) shown.set(nameOf(one), true)
    if (isNamed) {
      const end = performance.now() + waitMs
      while (wanted.some((one) => !kept.has(nameOf(one))) && performance.now() < end) {
        await pause(lookMs)
        await load(missing(), true)
      }
    }
    return requested.map((one) => kept.get(nameOf(one)) ?? null)
  }
}
