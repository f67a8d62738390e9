import { z } from 'zod'
import type { ListedDelivery, WebhookStatus } from './query.ts'

export type ReplayRange = {
  chainId: bigint | null
  fromBlock: bigint | null
  toBlock: bigint | null
  status: WebhookStatus | null
}

/** The replay of a range of webhooks, with its progress. */
export const rangeReplaySchema = z
  .object({
    id: z.uuid().describe('The replay.'),
    streamId: z.uuid().describe('The stream.'),
    status: z
      .enum(['running', 'done', 'stopped'])
      .describe('done: all webhooks are queued; stopped: the stream sends nothing any more.'),
    message: z.string().describe('Why the replay stopped; empty otherwise.'),
    progress: z.number().min(0).max(1).describe('Part of the webhooks that was read, from 0 to 1.'),
    replayed: z.int().min(0).describe('Webhooks queued so far.'),
    createdAt: z.iso.datetime().describe('When the replay was requested.'),
    updatedAt: z.iso.datetime().describe('When the replay last made progress.'),
  })
  .meta({ id: 'RangeReplay', description: 'Sending a range of webhooks again.' })

export type RangeReplay = z.output<typeof rangeReplaySchema>

/** Requests replays, and changes secrets and settings. */
export type StreamStore = {
  /**
   * Sends a webhook again, with exactly its first body. One that waits for its first attempt is only sent in its turn.
   * undefined: the stream has no such webhook. Throws ConflictError for a retracted webhook, GoneError for one that
   * retention removed.
   */
  replay(streamId: string, id: string): Promise<ListedDelivery | undefined>
  /**
   * Sends all webhooks of a stream in a range again, in order, except those that wait for their first attempt. The first
   * ones are queued immediately, others as these are sent. undefined: the stream never existed. Throws BadRequestError
   * for a terminated or deleted stream.
   */
  replayRange(streamId: string, range: ReplayRange): Promise<RangeReplay | undefined>
  /** undefined: the stream has no such replay. */
  rangeReplay(streamId: string, id: string): Promise<RangeReplay | undefined>
  /**
   * Sets a new secret of a stream; the previous one still signs until `previousUntil`. undefined: there is no such
   * stream.
   */
  rotateSecret(streamId: string): Promise<{ webhookSecret: string; previousUntil: string } | undefined>
  /** The secret (whsec_…) that signs operational webhooks to `webhooks.operationsUrl`. */
  operationsSecret(): Promise<string>
  /** Sets the secret of operational webhooks, by default a new one, and returns it. */
  changeOperationsSecret(secret: string | undefined): Promise<string>
  settings(): Promise<{ region: string; secretKey: string }>
  changeSettings(settings: { region?: string | undefined; secretKey?: string | undefined }): Promise<void>
}
