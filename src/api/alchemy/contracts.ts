import { z } from 'zod'
import type { CollectionState } from '../../nft/query.ts'
import { allowing } from '../../util/allowed.ts'
import type { Address } from '../../util/hex.ts'
import { parameter } from '../http/parameters.ts'
import type { Exchange, Route } from '../http/route.ts'
import type { ApiChain } from '../nft/chains.ts'
import { eachOfOneBlock } from '../nft/pages.ts'
import { type AlchemyOptions, alchemyRoute } from './alchemyRoute.ts'
import { indexedAnswer } from './indexedAnswer.ts'
import { shownStates, snapshotOf } from './ofContract.ts'
import { contractAddress } from './parameters.ts'
import { contractShape } from './records/contractShape.ts'
import { readContractFacts } from './records/readContractFacts.ts'

const mostContracts = 100

/** Known facts of contracts. */
export function contractRoutes(options: AlchemyOptions): Route[] {
  const { chains, nft, origins, collections, metadata } = options

  const read = (chain: ApiChain, address: Address, exchange: Exchange) =>
    snapshotOf({ collections, chainId: chain.id, address, exchange })

  const factsOf = (chain: ApiChain, states: ReadonlyMap<Address, CollectionState | undefined>) =>
    readContractFacts({ origins, chainId: chain.id }, states, { isNamed: true })

  return [
    alchemyRoute({
      method: 'GET',
      name: 'getContractMetadata',
      chains,
      query: z.object({ contractAddress: contractAddress() }),
      async handle({ chain, query, exchange }) {
        const { contractAddress: address } = query
        const snapshot = await read(chain, address, exchange)
        const states = await shownStates({ collections, chainId: chain.id }, [address], [snapshot.state])
        const facts = await factsOf(chain, states)
        return indexedAnswer(contractShape(address, states.get(address), facts.get(address)), [snapshot])
      },
    }),
    alchemyRoute({
      method: 'POST',
      name: 'getContractMetadataBatch',
      chains,
      body: {
        schema: z.object({
          contractAddresses: allowing(
            `a list of 1 to ${mostContracts} addresses`,
            z
              .array(allowing('an address: 0x and 40 hex digits', contractAddress()))
              .min(1)
              .max(mostContracts, `has too many; allowed: at most ${mostContracts} addresses`),
          ),
        }),
      },
      async handle({ chain, body, exchange }) {
        const addresses = [...new Set(body.contractAddresses)]
        return eachOfOneBlock({ collections, chainId: chain.id, addresses, exchange }, async (snapshots, states) => {
          const shown = await shownStates({ collections, chainId: chain.id }, addresses, states)
          const facts = await factsOf(chain, shown)
          const shapes = new Map(
            addresses.map((address) => [address, contractShape(address, shown.get(address), facts.get(address))]),
          )
          return indexedAnswer({ contracts: body.contractAddresses.map((one) => shapes.get(one)) }, snapshots)
        })
      },
    }),
    alchemyRoute({
      method: 'GET',
      name: 'searchContractMetadata',
      chains,
      query: z.object({
        query: parameter({
          description: 'The beginning of a name, a part of it, or the beginning of an address.',
          allowed: '1 to 200 characters',
          schema: { type: 'string', minLength: 1, maxLength: 200 },
          parse: (text) => (text.trim().length > 0 && text.length <= 200 ? text.trim() : undefined),
        }),
      }),
      async handle({ chain, query }) {
        const found = await nft.search(chain.id, query.query)
        const facts = await readContractFacts({ origins, chainId: chain.id }, new Map(found), { isNamed: false })
        const contracts = found.map(([address, state]) => contractShape(address, state, facts.get(address)))
        return indexedAnswer({ contracts }, [])
      },
    }),
    alchemyRoute({
      method: 'GET',
      name: 'invalidateContract',
      chains,
      query: z.object({ contractAddress: contractAddress() }),
      async handle({ chain, query, exchange }) {
        const snapshot = await read(chain, query.contractAddress, exchange)
        const { state } = snapshot
        if (state) await metadata.resyncAll(state)
        return indexedAnswer({ success: true, numTokensInvalidated: Number(state?.tokens ?? 0n) }, [snapshot])
      },
    }),
    alchemyRoute({
      method: 'GET',
      name: 'reingestContract',
      chains,
      query: z.object({ contractAddress: contractAddress() }),
      async handle({ chain, query, exchange }) {
        const snapshot = await read(chain, query.contractAddress, exchange)
        const { state, kind } = snapshot
        if (state) await metadata.resyncAll(state)
        const body = {
          contractAddress: query.contractAddress,
          reingestionState: kind === 'nocode' ? 'does_not_exist' : state?.synced ? 'queued' : 'in_progress',
          progress: kind === 'nocode' ? null : String(Math.floor(100 * (state?.progress ?? 0))),
        }
        return indexedAnswer(body, [snapshot])
      },
    }),
  ]
}
