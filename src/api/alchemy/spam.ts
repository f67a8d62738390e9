import { z } from 'zod'
import { UnavailableError } from '../../util/errors.ts'
import type { Route } from '../http/route.ts'
import { type AlchemyOptions, alchemyRoute } from './alchemyRoute.ts'
import { indexedAnswer } from './indexedAnswer.ts'
import { ofContract, shownStates, snapshotOf } from './ofContract.ts'
import { contractAddress, tokenIdParameter } from './parameters.ts'

/** Most contracts of an answer. */
const mostSpam = 50_000

/** Spam contracts and airdrops. */
export function spamRoutes(options: AlchemyOptions): Route[] {
  const { chains, nft, origins, collections } = options
  return [
    alchemyRoute({
      method: 'GET',
      name: 'isSpamContract',
      chains,
      query: z.object({ contractAddress: contractAddress() }),
      async handle({ chain, query, exchange }) {
        const requested = { collections, chainId: chain.id, address: query.contractAddress, exchange }
        const snapshot = await snapshotOf(requested)
        const { address } = requested
        const state = (await shownStates(requested, [address], [snapshot.state])).get(address)
        return indexedAnswer({ isSpamContract: state?.possibleSpam ?? false }, [snapshot])
      },
    }),
    alchemyRoute({
      method: 'GET',
      name: 'getSpamContracts',
      chains,
      async handle({ chain }) {
        return indexedAnswer({ contractAddresses: await nft.spamContracts(chain.id, mostSpam) }, [])
      },
    }),
    alchemyRoute({
      method: 'GET',
      name: 'isAirdropNFT',
      chains,
      scheduled: 'none',
      query: z.object({ contractAddress: contractAddress(), tokenId: tokenIdParameter() }),
      async handle({ chain, query, exchange }) {
        const { contractAddress: address, tokenId } = query
        const requested = { collections, chainId: chain.id, address, exchange }
        return ofContract(requested, async (snapshot, state) => {
          if (!state) return indexedAnswer({ isAirdrop: null }, [snapshot])
          const [origin] = await origins.named(chain.id, [{ state, address, tokenId }])
          const { mint } = origin!
          const [isAirdrop = null] = await origins.airdrops(chain.id, [{ state, mint }])
          if (mint && isAirdrop === null)
            throw new UnavailableError('no node of the chain returns the transaction of the mint at the moment; retry')
          return indexedAnswer({ isAirdrop }, [snapshot])
        })
      },
    }),
    alchemyRoute({
      method: 'GET',
      name: 'reportSpam',
      chains,
      query: z.object({ contractAddress: contractAddress() }),
      async handle() {
        const message = 'this server keeps no reports; an operator marks a collection as spam in the console'
        return indexedAnswer({ message }, [])
      },
    }),
  ]
}
