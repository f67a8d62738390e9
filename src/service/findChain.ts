import type { Config } from '../config.ts'
import type { Sql } from '../db/database.ts'
import { BadRequestError, NotFoundError } from '../errors.ts'
import { resolveChains } from '../resolveChains.ts'
import { type NamedChain, readNamedChains } from '../sync/chainNames.ts'

/**
 * The chain that a command or an admin route is about, by name or id: of the configuration of its process, or one that a server on
 * this database was configured for. Throws NotFoundError for a chain that neither knows, BadRequestError for one that no configuration gives
 * a node.
 */
export async function findChain({ db, config }: { db: Sql; config: Config }, text: string): Promise<NamedChain> {
  const own = resolveChains(config)
  const told = await readNamedChains(db)
  const all = mergeChains(own, told)
  const wanted = text.toLowerCase()
  const id = idOf(wanted)
  const chain = all.find(({ names }) => names.includes(wanted)) ?? all.find((c) => c.id === id)
  if (!chain)
    throw new NotFoundError(
      `there is no chain "${text}": there are ${all.map((c) => c.name).join(', ')}; add others to the configuration under chains`,
    )
  const hasNode = own.some((c) => c.id === chain.id && c.rpc.length > 0) || told.some((c) => c.id === chain.id)
  if (!hasNode)
    throw new BadRequestError(`${chain.name} has no node: name one in the configuration under chains.${chain.name}.rpc`)
  return chain
}

/** What chains are shown by: as the configuration of this process calls them, else as a server on this database does. */
export async function readChainNames({ db, config }: { db: Sql; config: Config }): Promise<(id: bigint) => string> {
  const names = new Map(mergeChains(resolveChains(config), await readNamedChains(db)).map((c) => [c.id, c.name]))
  return (id) => names.get(id) ?? `0x${id.toString(16)}`
}

/** `own` first: a name that both have is the one of this configuration. */
function mergeChains(own: readonly NamedChain[], told: readonly NamedChain[]): NamedChain[] {
  const toldNames = new Map(told.map(({ id, names }) => [id, names]))
  const ownIds = new Set(own.map(({ id }) => id))
  return [
    ...own.map(({ id, name, names }) => ({ id, name, names: [...names, ...(toldNames.get(id) ?? [])] })),
    ...told.filter(({ id }) => !ownIds.has(id)),
  ]
}

/** 0x and hex digits, or decimal digits; undefined for what is no id. */
function idOf(text: string): bigint | undefined {
  return /^(0x[0-9a-f]{1,16}|\d{1,19})$/.test(text) ? BigInt(text) : undefined
}
