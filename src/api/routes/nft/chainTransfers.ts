import { z } from 'zod'
import type { TransferQuery } from '../../../nft/transferQuery.ts'
import { NotFoundError } from '../../../util/errors.ts'
import { highestBlock } from '../../../util/extremes.ts'
import type { Hex } from '../../../util/hex.ts'
import { parameter } from '../../http/parameters.ts'
import { defineRoute, type Exchange, type Route } from '../../http/route.ts'
import type { ApiChain } from '../../nft/chains.ts'
import { cutTransfers, transferPageSchema } from '../../nft/transferPage.ts'
import {
  parseBlockNumber,
  readTransferList,
  transferListShape,
  transferRangeShape,
} from '../../nft/transferParameters.ts'
import { type AnswerCoverageOptions, answerCovered } from '../../nft/wallets/answerCoverage.ts'
import { walletHeaderSchema } from '../../nft/wallets/reportWallets.ts'
import { walletPageState } from '../../nft/wallets/walletTarget.ts'
import type { Cursors } from '../../pages/cursor.ts'
import type { PageAnswers } from '../../pages/pageAnswers.ts'

export type ChainTransfersRoutesOptions = AnswerCoverageOptions & {
  transfers: TransferQuery
  chains: readonly ApiChain[]
  answers: PageAnswers
  cursors: () => Promise<Cursors>
  /** Part of every ETag; different for another database or another program. */
  salt: () => Promise<string>
}

const covers =
  'Covers the collections that are indexed on the chain, as x-index-collections and x-index-to-block show. In the order of the chain, the latest first, unless order is ASC.'

/** Transfers of all indexed collections: of a block, and of any blocks. */
export function chainTransfersRoutes(options: ChainTransfersRoutesOptions): Route[] {
  const { transfers, chains, answers, cursors, salt } = options
  const common = {
    method: 'GET',
    tag: 'NFTs',
    access: 'read',
    ok: { description: 'A page.', schema: transferPageSchema, headers: walletHeaderSchema },
  } as const
  const ofList = z.object(transferListShape({ chains }))
  const ofRange = ofList.extend(transferRangeShape())

  async function answer(query: z.output<typeof ofRange>, block: number | Hex | null, exchange: Exchange) {
    const list = await readTransferList({
      ...{ path: `chain ${block ?? ''}`, query, chains, cursors: await cursors(), transfers },
    })
    const chainId = list.chain.id
    return answerCovered(options, { chainId, addresses: null, exchange }, async ({ report }) => {
      const hash = typeof block === 'string' ? block : undefined
      const at = hash === undefined ? block : await transfers.blockOf(chainId, hash)
      if (at === undefined)
        throw new NotFoundError(`${list.chain.name} has no block ${hash}; a reorganisation may have undone it`, {
          details: { parameter: 'block' },
        })
      const range = at === null ? list.range : { from: BigInt(at), to: BigInt(at) }
      const reported = report.at(performance.now())
      const body = await cutTransfers({
        transfers,
        list: { ...list, range },
        source: { of: 'chain', chainId, ...(hash !== undefined && { hash }) },
        status: reported.status,
        block: at === null ? report.block : null,
      })
      const named = { operation: 'transfers of a chain', place: list.name, mark: body }
      const state = walletPageState({ salt: await salt(), ...named, report, reported })
      return answers.answer({ state, keep: true, cut: async () => body, exchange })
    })
  }

  return [
    defineRoute({
      ...common,
      path: '/api/v2/nft/transfers',
      operationId: 'getNFTTransfersFromToBlock',
      summary: 'Transfers of a chain',
      description: `Of the blocks between two blocks or dates, both included. ${covers}`,
      query: ofRange,
      errors: [503],
      handle: ({ query, exchange }) => answer(query, null, exchange),
    }),
    defineRoute({
      ...common,
      path: '/api/v2/block/{block}/nft/transfers',
      operationId: 'getNFTTransfersByBlock',
      summary: 'Transfers of a block',
      description: `404 if the chain has no block with the given hash. ${covers}`,
      params: z.object({ block: blockParameter() }),
      query: ofList,
      errors: [404, 503],
      handle: ({ params, query, exchange }) => answer(query, params.block, exchange),
    }),
  ]
}

function blockParameter() {
  return parameter<number | Hex>({
    description: 'The number or the hash of the block.',
    allowed: `the number of a block, decimal or 0x and hex digits, from 0 to ${highestBlock}, or its hash, 0x and 64 hex digits`,
    schema: { type: 'string', pattern: '^([0-9]+|0[xX][0-9a-fA-F]+)$', examples: ['12287507', '0xbb7e13'] },
    parse: (text) => (/^0x[0-9a-f]{64}$/i.test(text) ? (text.toLowerCase() as Hex) : parseBlockNumber(text)),
  })
}
