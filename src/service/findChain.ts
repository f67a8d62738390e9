import type { Config } from '../config/config.ts'
import { resolveChains } from '../config/resolveChains.ts'
import type { Sql } from '../db/database.ts'
import { type NamedChain, readNamedChains } from '../sync/chainNames.ts'
import { BadRequestError, NotFoundError } from '../util/errors.ts'
import { quantity } from '../util/hex.ts'

/**
 * Finds the chain for a command or an admin route by name or id, in the configuration of this process and among the chains of other servers on this
 * database. Throws NotFoundError for a chain in neither, BadRequestError for a chain without a node in any configuration.
 */
export async function findChain({ db, config }: { db: Sql; config: Config }, text: string): Promise<NamedChain> {
  const own = resolveChains(config)
  const reported = await readNamedChains(db)
  const all = mergeChains(own, reported)
  const wanted = text.toLowerCase()
  const id = idOf(wanted)
  const chain = all.find(({ names }) => names.includes(wanted)) ?? all.find((c) => c.id === id)
  const hasNode = ({ id }: NamedChain) =>
    own.some((c) => c.id === id && c.rpc.length > 0) || reported.some((c) => c.id === id)
  if (!chain)
    throw new NotFoundError(
      `there is no chain "${text}"; available: ${all
        .filter(hasNode)
        .map((c) => c.name)
        .join(', ')}. Add others to the configuration under chains`,
    )
  if (!hasNode(chain))
    throw new BadRequestError(`${chain.name} has no node: configure one under chains.${chain.name}.rpc`)
  return chain
}

/** The chain of a filter. An unknown one is a bad parameter (400), while an unknown chain in a path is not found (404). */
export function findFilterChain(of: { db: Sql; config: Config }, text: string): Promise<NamedChain> {
  return findChain(of, text).catch((cause: unknown) => {
    if (!(cause instanceof NotFoundError)) throw cause
    throw new BadRequestError(cause.message, { cause, details: { parameter: 'chain' } })
  })
}

/** The display names of chains: from this process's configuration, otherwise from a server on this database. */
export async function readChainNames({ db, config }: { db: Sql; config: Config }): Promise<(id: bigint) => string> {
  const names = new Map(mergeChains(resolveChains(config), await readNamedChains(db)).map((c) => [c.id, c.name]))
  return (id) => names.get(id) ?? quantity(id)
}

/** The chains of both lists. Those of `own` come first, so that they win for a name in both. */
function mergeChains(own: readonly NamedChain[], reported: readonly NamedChain[]): NamedChain[] {
  const reportedNames = new Map(reported.map(({ id, names }) => [id, names]))
  const ownIds = new Set(own.map(({ id }) => id))
  return [
    ...own.map(({ id, name, names }) => ({ id, name, names: [...names, ...(reportedNames.get(id) ?? [])] })),
    ...reported.filter(({ id }) => !ownIds.has(id)),
  ]
}

/** Parses an id, as 0x and hex digits or as decimal digits; undefined: the text is not an id. */
function idOf(text: string): bigint | undefined {
  return /^(0x[0-9a-f]{1,16}|\d{1,19})$/.test(text) ? BigInt(text) : undefined
}
