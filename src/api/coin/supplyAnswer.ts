import { z } from 'zod'
import type { NetworkState, SupplyAnswer } from '../../coin/query.ts'
import { NotFoundError } from '../../util/errors.ts'
import { parameter } from '../http/parameters.ts'
import { fault } from '../http/parseQuery.ts'

/** The query for the supply of a coin. */
export const supplyQuerySchema = z.object({
  version: parameter({
    description: 'A version that is covered.',
    allowed: 'a version of 1 to 18 digits',
    schema: { type: 'string', pattern: '^[0-9]{1,18}$', examples: ['2186504987'] },
    parse: (text) => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined),
  }).optional(),
})

/** The requested version, or the last covered one. Throws BadRequestError if the version is not covered. */
export function coveredVersion(state: NetworkState | undefined, version: bigint | undefined): bigint {
  if (state?.toVersion == null) throw fault('version', 'cannot be answered: no version of the network is covered yet')
  const { fromVersion, toVersion } = state
  if (version === undefined) return toVersion
  if (version < fromVersion || version > toVersion)
    throw fault('version', `is ${version}, which is not covered; allowed: ${fromVersion} to ${toVersion}`)
  return version
}

/** The answer as JSON. Throws NotFoundError. */
export function renderSupply(answer: SupplyAnswer, { hash, version }: { hash: string; version: bigint }): string {
  if (answer.status === 'unknownCoin')
    throw new NotFoundError(`no coin has the hash ${hash}`, { details: { parameter: 'hash' } })
  if (answer.status === 'madeLater')
    throw new NotFoundError(`the coin was created at version ${answer.version}, after version ${version}`, {
      details: { parameter: 'version' },
    })
  return JSON.stringify({
    coin_type_hash: hash,
    transaction_version: String(version),
    supply: answer.supply,
  })
}
