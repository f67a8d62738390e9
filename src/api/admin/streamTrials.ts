import { z } from 'zod'
import { createStreamSchema, hexChainId } from '../../stream/demand.ts'
import { mostPreviewBlocks, type SentTestWebhook, type StreamPreview } from '../../stream/query.ts'
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
