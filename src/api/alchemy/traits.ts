import { z } from 'zod'
import { type NftRecord, readRecords } from '../../nft/nftRecord.ts'
import type { CollectionState, NftQuery } from '../../nft/query.ts'
import type { ListedTrait, TraitPlace } from '../../nft/traits.ts'
import type { Route } from '../http/route.ts'
import { type AlchemyOptions, alchemyRoute } from './alchemyRoute.ts'
import { indexedAnswer, withOmission } from './indexedAnswer.ts'
import { ofContract } from './ofContract.ts'
import { contractAddress, tokenIdParameter } from './parameters.ts'
import { contractShape } from './records/contractShape.ts'
import { withoutMetadata } from './records/readNfts.ts'

/** Values of traits per statement, and per answer: a contract with more has numbers as traits. */
const traitsAtOnce = 5_000
const mostTraits = 100_000

/** How often traits are found in a collection. */
export function traitRoutes(options: AlchemyOptions): Route[] {
  const { chains, nft, collections } = options
  return [
    alchemyRoute({
      method: 'GET',
      name: 'computeRarity',
      chains,
      query: z.object({ contractAddress: contractAddress(), tokenId: tokenIdParameter() }),
      async handle({ chain, query, exchange }) {
        const { contractAddress: address, tokenId } = query
        const requested = { collections, chainId: chain.id, address, exchange }
        return ofContract(requested, async (snapshot, state) => {
          const form = { ...withoutMetadata, normalized: true }
          const found = state && (await nft.tokens([{ state, address, tokenId }], form))
          const [record] = found ? readRecords(found) : []
          const documents = state && record ? await metadataCountOf(nft, state) : 0
          return indexedAnswer({ rarities: record ? raritiesOf(record, documents) : [] }, [snapshot])
        })
      },
    }),
    alchemyRoute({
      method: 'GET',
      name: 'summarizeNFTAttributes',
      chains,
      query: z.object({ contractAddress: contractAddress() }),
      async handle({ chain, query, exchange }) {
        const { contractAddress: address } = query
        const requested = { collections, chainId: chain.id, address, exchange }
        return ofContract(requested, async (snapshot, state) => {
          const { traits, isWhole } = state ? await readAllTraits(nft, state) : { traits: [], isWhole: true }
          const { totalSupply } = contractShape(address, state)
          const body = { summary: summaryOf(traits), totalSupply, contractAddress: address }
          const answer = indexedAnswer(body, [snapshot])
          return isWhole ? answer : withOmission(answer, `the summary has ${traits.length} values of traits, the most`)
        })
      },
    }),
  ]
}

/** Tokens of a collection that have metadata. */
async function metadataCountOf(nft: NftQuery, state: CollectionState): Promise<number> {
  const { traits } = await nft.traits({ state, after: null, limit: 1 })
  return traits[0]?.documents ?? 0
}

/** The traits of a token that have a value, with their share of the tokens that have metadata, from 0 to 1. */
export function raritiesOf(
  { normalized_metadata: metadata }: Pick<NftRecord, 'normalized_metadata'>,
  documents: number,
) {
  return (metadata?.attributes ?? [])
    .filter(({ value }) => value !== null)
    .map(({ trait_type, value, trait_count }) => ({
      value: textOf(value),
      traitType: trait_type,
      prevalence: typeof trait_count === 'number' && documents > 0 ? trait_count / documents : null,
    }))
}

/** Up to the most traits of a collection. `isWhole`: it has no others. */
export async function readAllTraits(
  nft: Pick<NftQuery, 'traits'>,
  state: CollectionState,
): Promise<{ traits: readonly ListedTrait[]; isWhole: boolean }> {
  const all: ListedTrait[] = []
  let after: TraitPlace | null = null
  do {
    const page = await nft.traits({ state, after, limit: traitsAtOnce })
    for (const trait of page.traits) all.push(trait)
    after = page.next
  } while (after !== null && all.length < mostTraits)
  return { traits: all, isWhole: after === null }
}

function summaryOf(traits: readonly ListedTrait[]): Record<string, Record<string, number>> {
  const summary = new Map<string, Map<string, number>>()
  for (const { type, value, tokens } of traits) {
    const values = summary.get(type ?? '') ?? new Map<string, number>()
    const text = textOf(JSON.parse(value))
    values.set(text, (values.get(text) ?? 0) + tokens)
    summary.set(type ?? '', values)
  }
  return Object.fromEntries(Array.from(summary, ([type, values]) => [type, Object.fromEntries(values)]))
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
