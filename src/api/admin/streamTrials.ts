import { z } from 'zod'
import { createStreamSchema, hexChainId } from '../../stream/demand.ts'
import { previewCuts, type SentTestWebhook, type StreamPreview } from '../../stream/query.ts'
import { allowing } from '../../util/allowed.ts'

/** Previews and test webhooks of streams. Neither changes a stream, its statistics or its ledger. */
export type StreamTrials = {
  /**
   * Previews the matches of a stream in the last blocks. Throws BadRequestError for an invalid definition,
   * NotFoundError for an unknown `streamId`, TooManyRequestsError while other previews run, and UnavailableError if no
   * block could be read.
   */
  preview(body: PreviewStream): Promise<StreamPreview>
  /** Sends the test webhook to the address of a stream, in any status. Throws NotFoundError for an unknown id. */
  test(id: string): Promise<SentTestWebhook>
}

export const mostPreviewBlocks = 100

const { webhookUrl, description, tag } = createStreamSchema.shape

/** Body of `POST /admin/streams/preview`: that of a new stream. Only the fields that decide matches are required. */
export const previewStreamSchema = createStreamSchema
  .extend({
    webhookUrl: webhookUrl.nullish(),
    description: description.nullish(),
    tag: tag.nullish(),
    addresses: allowing(
      'a list of addresses, each 0x and 40 hex digits',
      z.array(z.string()).nullish().describe('Addresses that the stream watches.'),
    ),
    streamId: allowing(
      'a UUID',
      z.uuid().nullish().describe('A stream that is to be changed: its addresses are watched as well.'),
    ),
    chainId: hexChainId.nullish().describe('Which of chainIds to use; omitted: the first one.'),
    blocks: z
      .int()
      .min(1)
      .max(mostPreviewBlocks)
      .nullish()
      .describe(`How many of the last blocks to match; omitted: ${mostPreviewBlocks}.`),
  })
  .meta({
    id: 'PreviewStream',
    description:
      'Definition of a stream, which is not created. A null field counts as omitted; fields that only affect sending may be omitted.',
    examples: [
      {
        chainIds: ['0x1'],
        topic0: ['Transfer(address,address,uint256)'],
        includeContractLogs: true,
        addresses: ['0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d'],
        blocks: 20,
      },
    ],
  })

export type PreviewStream = z.output<typeof previewStreamSchema>

const digits = z.string().regex(/^\d+$/)
const count = z.int().min(0)

export const streamPreviewSchema = z
  .object({
    chainId: z.string().meta({ description: 'The chain, in hex.', examples: ['0x1'] }),
    fromBlock: digits.meta({ description: 'First matched block.', examples: ['19000000'] }),
    toBlock: digits.meta({ description: 'Last matched block: the head.', examples: ['19000019'] }),
    blocks: z.int().min(1).max(mostPreviewBlocks).describe('Number of matched blocks.'),
    cutShort: z
      .array(
        z.object({
          reason: z
            .enum(previewCuts)
            .describe(
              'time: earlier blocks were not read in time; node: the nodes do not return an earlier block; stream: the stream cannot be matched in an earlier block; samples: not every webhook is a sample.',
            ),
          message: z.string().describe('What was omitted, and why.'),
        }),
      )
      .describe('Missing parts; empty: none.'),
    matched: z
      .object({
        blocks: count.describe('Blocks in which anything matched.'),
        webhooks: count.describe(
          'Webhooks of these blocks: one per block, or several if a block is too large for one.',
        ),
        logs: count.describe('Logs in these webhooks.'),
        txs: count.describe('Transactions in these webhooks.'),
        txsInternal: count.describe('Transfers of value inside of transactions.'),
        erc20Transfers: count.describe('Transfers of ERC-20 tokens among the logs.'),
        nftTransfers: count.describe('Transfers of NFTs among the logs.'),
      })
      .describe('Matches in these blocks.'),
    samples: z
      .array(z.record(z.string(), z.unknown()))
      .max(50)
      .describe(
        'Bodies of the webhooks as they would be sent, one for each block or part of a block, newest block first. confirmed is true if the block is confirmed by now; streamId is empty if none was given.',
      ),
  })
  .meta({ id: 'StreamPreview', description: 'Matches of a stream in the last blocks.' })

export const sentTestWebhookSchema = z
  .object({
    streamId: z.uuid().describe('The stream.'),
    webhookUrl: z
      .string()
      .meta({ description: 'URL to which the test webhook was sent.', examples: ['https://shop.example/hooks'] }),
    webhookId: z.uuid().describe('Value of the header webhook-id.'),
    deliveryStatus: z.enum(['failed', 'success']).describe('success: the response was a 2xx.'),
    statusCode: z.int().min(100).max(999).nullable().describe('HTTP status of the response; null without a response.'),
    latencyMs: z.number().min(0).describe('How long the attempt took, in milliseconds.'),
    response: z.string().describe('First kilobyte of the response.'),
    errorMessage: z.string().describe('Why the attempt failed; empty after a success.'),
    createdAt: z.iso.datetime().describe('When the test webhook was sent.'),
  })
  .meta({ id: 'SentTestWebhook', description: "A test webhook, and the receiver's response." })
