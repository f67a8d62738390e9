import { z } from 'zod'
import { quantity } from '../../../util/hex.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { type ChainStates, enabledChainSchema } from '../../nft/chainStates.ts'
import { type ApiChain, enabledChains } from '../../nft/chains.ts'

export type ChainRoutesOptions = { chains: readonly ApiChain[]; states: ChainStates }

/** The chains that requests can specify. */
export function chainRoutes({ chains, states }: ChainRoutesOptions): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v2/chains',
      operationId: 'getChains',
      summary: 'Chains of this server',
      description:
        'Every chain that requests can specify: known chains with public nodes, and configured ones. No request enables another one.',
      tag: 'NFTs',
      access: 'read',
      ok: {
        description: 'The chains.',
        schema: z.object({
          result: z.array(enabledChainSchema).describe('First the known chains, then the configured ones.'),
        }),
      },
      async handle() {
        const stateOf = new Map((await states.read()).map((state) => [state.id, state]))
        const result = enabledChains(chains).map((chain) => {
          const { head = null, status = 'idle' } = stateOf.get(chain.id) ?? {}
          return {
            name: chain.name,
            id: quantity(chain.id),
            aliases: chain.names.filter((name) => name !== chain.name),
            configured: chain.configured,
            head: head === null ? null : String(head),
            status,
            discover: chain.discover === true,
          }
        })
        return jsonAnswer(200, { result })
      },
    }),
  ]
}
