import { BadRequestError } from '../../util/errors.ts'
import { quantity } from '../../util/hex.ts'
import type { CreateStream, FromBlocks, StreamStatus, UpdateStream } from '../demand.ts'
import { compileStream } from '../match/compileStream.ts'
import { balanceTypes } from '../payload/nativeBalances.ts'
import { definitionSchema, type StreamDefinition } from '../streamDefinition.ts'
import { isMatched } from './streamStore.ts'

/** A chain that a stream may watch. */
export type StreamableChain = { id: bigint; name: string; rpc: readonly string[] }

const definitionFields = Object.keys(definitionSchema.shape) as (keyof StreamDefinition)[]

/** The definition in a body, with omitted fields from the current definition. null counts as omitted. */
export function definitionOf(
  body: Pick<CreateStream | UpdateStream, keyof StreamDefinition>,
  before?: StreamDefinition,
): StreamDefinition {
  const given: Record<string, unknown> = { ...before }
  for (const field of definitionFields)
    if (body[field] !== undefined && body[field] !== null) given[field] = body[field]
  return definitionSchema.parse(given)
}

/**
 * The chains, definition and first blocks in a body. Throws BadRequestError if a stream with these cannot be matched.
 */
export function matchingOf(
  body: Pick<CreateStream, 'chainIds' | 'fromBlocks' | keyof StreamDefinition>,
  chains: readonly StreamableChain[],
): { chainIds: bigint[]; definition: StreamDefinition; fromBlocks: Map<bigint, bigint> } {
  const chainIds = chainIdsOf(body.chainIds, chains)
  const definition = definitionOf(body)
  checkDefinition(definition, chainIds)
  return { chainIds, definition, fromBlocks: fromBlocksOf(body.fromBlocks, chainIds) }
}

/** Throws BadRequestError for a definition that cannot be matched. */
export function checkDefinition(definition: StreamDefinition, chainIds: readonly bigint[]): void {
  for (const chainId of chainIds) compileStream({ id: '', partition: 0, chainId, tag: '', definition, fromBlock: 0n })
  for (const [i, { type }] of definition.getNativeBalances.entries())
    if (!balanceTypes.includes(type.toLowerCase()))
      throw fault(`getNativeBalances[${i}].type`, `is ${JSON.stringify(type)}; allowed: ${balanceTypes.join(', ')}`)
}

export function usableChains(chains: readonly StreamableChain[]): StreamableChain[] {
  return chains.filter((chain) => chain.rpc.length > 0)
}

/** Unique chain ids. Throws BadRequestError for a chain without a node. */
export function chainIdsOf(texts: readonly string[], chains: readonly StreamableChain[]): bigint[] {
  const ids = [...new Set(texts.map((text) => BigInt(text)))]
  const usable = usableChains(chains)
  for (const id of ids)
    if (!usable.some((chain) => chain.id === id))
      throw fault(
        'chainIds',
        `has ${quantity(id)}, for which this server has no node; allowed: ${usable.map((chain) => `${quantity(chain.id)} (${chain.name})`).join(', ')}`,
      )
  return ids
}

/** The chain of `chainIds` that a text specifies, by default the first. Throws BadRequestError. */
export function chosenChain(text: string | null | undefined, chainIds: readonly bigint[]): bigint {
  if (!text) return chainIds[0]!
  const id = BigInt(text)
  if (!chainIds.includes(id))
    throw fault('chainId', `is ${text}, which is not among chainIds; allowed: ${chainTexts(chainIds)}`)
  return id
}

/** Returns the URL text. Throws BadRequestError if webhooks cannot be sent to it. */
export function checkWebhookUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw fault('webhookUrl', 'is not an http or https URL; allowed: one that begins with https:// or http://')
  if (url.username || url.password)
    throw fault('webhookUrl', 'contains a user name or password, which is never sent; allowed: a URL without them')
  return text
}

/** First block of history by chain. Throws BadRequestError for a chain that the stream does not have. */
export function fromBlocksOf(
  fromBlocks: FromBlocks | null | undefined,
  chainIds: readonly bigint[],
): Map<bigint, bigint> {
  const blocks = new Map<bigint, bigint>()
  for (const [chain, block] of Object.entries(fromBlocks ?? {})) {
    const id = BigInt(chain)
    if (!chainIds.includes(id))
      throw fault('fromBlocks', `contains ${chain}, which is not among chainIds; allowed: ${chainTexts(chainIds)}`)
    blocks.set(id, BigInt(block))
  }
  return blocks
}

/** Unique addresses in lower case. Throws BadRequestError with the name of the parameter. */
export function addressesOf(texts: readonly string[], parameter = 'address'): string[] {
  const addresses = new Set<string>()
  for (const text of texts) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(text))
      throw fault(parameter, `has ${JSON.stringify(text.slice(0, 80))}; allowed: addresses, 0x and 40 hex digits`)
    addresses.add(text.toLowerCase())
  }
  return [...addresses]
}

/**
 * Throws BadRequestError if history is requested on a chain that the stream already had, as webhooks of its blocks were
 * sent.
 */
export function checkNewChains(fromBlocks: ReadonlyMap<bigint, bigint>, added: readonly bigint[]): void {
  for (const chainId of fromBlocks.keys())
    if (!added.includes(chainId))
      throw fault(
        'fromBlocks',
        `contains ${chainTexts([chainId])}, which the stream has or had already; allowed: ${added.length > 0 ? chainTexts(added) : 'chains that the update adds'}`,
      )
}

/** Throws BadRequestError if the requested history of added addresses may already have been sent. */
export function checkAddedHistory(
  { definition }: { definition: StreamDefinition },
  fromBlocks: ReadonlyMap<bigint, bigint>,
  former: readonly bigint[],
  removed: readonly string[],
): void {
  if (definition.allAddresses)
    throw fault('fromBlocks', 'is for a stream that watches single addresses; allowed: a stream without allAddresses')
  const returned = former.filter((chainId) => fromBlocks.has(chainId))
  if (returned.length > 0)
    throw fault(
      'fromBlocks',
      `contains ${chainTexts(returned)}, removed from the stream before; allowed: chains that were never removed`,
    )
  if (removed.length > 0)
    throw fault(
      'fromBlocks',
      `is for addresses that were never removed from the stream, and ${removed[0]} was; allowed: to add it without fromBlocks`,
    )
}

/** Throws BadRequestError for a block below `from` or above `to`. */
export function checkFromBlock(chainId: bigint, block: bigint, allowed: { from: bigint; to: bigint }): void {
  const { from, to } = allowed
  if (block < from || block > to)
    throw fault(
      `fromBlocks.${chainTexts([chainId])}`,
      `is ${block}; allowed: ${from === to ? from : `${from} to ${to}`}`,
    )
}

/** Throws BadRequestError for a stream that is being matched: it has no place to continue from. */
export function checkStopped(status: StreamStatus): void {
  if (isMatched(status))
    throw fault(
      'fromBlocks',
      `is for a stream that is paused or terminated; this one is ${status}; allowed: to pause it first`,
    )
}

function chainTexts(chainIds: readonly bigint[]): string {
  return chainIds.map((chainId) => quantity(chainId)).join(', ')
}

function fault(parameter: string, what: string): BadRequestError {
  return new BadRequestError(`${parameter} ${what}`, { details: { parameter } })
}
