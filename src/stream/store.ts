import type { ListedDelivery, WebhookStatus } from './query.ts'

export type ReplayRange = {
  chainId: bigint | null
  fromBlock: bigint | null
  toBlock: bigint | null
  status: WebhookStatus | null
}

/** The replay of a range of webhooks, and how far it has come. */
export type RangeReplay = {
  /** UUID. */
  id: string
  streamId: string
  /** stopped: the stream was terminated or deleted; webhooks that were not queued by then are not sent. */
  status: 'running' | 'done' | 'stopped'
  /** Why it stopped; empty otherwise. */
  message: string
  /** The part of the range that was read, from 0 to 1. */
  progress: number
  /** Webhooks that were queued so far. */
  replayed: number
  /** ISO 8601. */
  createdAt: string
  updatedAt: string
}

/** Orders replays, and changes secrets and settings. */
export type StreamStore = {
  /**
   * Sends a webhook again, with its first body byte for byte. undefined: the stream has no such webhook. Throws ConflictError for a
   * webhook that was retracted, GoneError for one that retention removed.
   */
  replay(streamId: string, id: string): Promise<ListedDelivery | undefined>
  /**
   * Sends all webhooks of a stream within a range again, in their order: the first ones are queued at once, the others as those
   * are sent. undefined: there never was such a stream. Throws BadRequestError for one that is terminated or deleted.
   */
  replayRange(streamId: string, range: ReplayRange): Promise<RangeReplay | undefined>
  /** undefined: the stream has no such replay. */
  rangeReplay(streamId: string, id: string): Promise<RangeReplay | undefined>
  /** Gives a stream a new secret; the previous one still signs until `previousUntil`. undefined: there is no such stream. */
  rotateSecret(streamId: string): Promise<{ webhookSecret: string; previousUntil: string } | undefined>
  /** The secret (whsec_…) that signs operational webhooks to `webhooks.operationsUrl`. */
  operationsSecret(): Promise<string>
  /** Sets the secret of operational webhooks, to a new one where none is given, and answers it. */
  changeOperationsSecret(secret: string | undefined): Promise<string>
  settings(): Promise<{ region: string; secretKey: string }>
  changeSettings(settings: { region?: string | undefined; secretKey?: string | undefined }): Promise<void>
}
