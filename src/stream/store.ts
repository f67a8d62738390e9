import type { ListedDelivery, WebhookStatus } from './query.ts'

export type ReplayRange = {
  chainId: bigint | null
  fromBlock: bigint | null
  toBlock: bigint | null
  status: WebhookStatus | null
}

/** How far it is to send a range of webhooks again. */
export type RangeReplay = {
  /** UUID. */
  id: string
  streamId: string
  /** stopped: the stream sends nothing any more; what was not queued by then is not sent. */
  status: 'running' | 'done' | 'stopped'
  /** Why it stopped; empty otherwise. */
  message: string
  /** Part of the ledger that was gone through, from 0 to 1. */
  progress: number
  /** Webhooks that were queued so far. */
  replayed: number
  /** ISO 8601. */
  createdAt: string
  updatedAt: string
}

/** Changes what is delivered, and how it is signed. */
export type StreamStore = {
  /**
   * Sends a webhook again, its first body byte for byte. undefined: the stream has no such webhook. Throws ConflictError for
   * what was retracted, GoneError for what was removed.
   */
  replay(streamId: string, id: string): Promise<ListedDelivery | undefined>
  /**
   * Sends all webhooks of a stream within a range again, in their order: the first ones are queued at once, the others as those
   * are sent. undefined: there is no such stream. Throws BadRequestError for one that sends nothing any more.
   */
  replayRange(streamId: string, range: ReplayRange): Promise<RangeReplay | undefined>
  /** undefined: the stream has no such replay. */
  rangeReplay(streamId: string, id: string): Promise<RangeReplay | undefined>
  /** Gives a stream a new secret; the one before still signs until `previousUntil`. undefined: there is no such stream. */
  rotateSecret(streamId: string): Promise<{ webhookSecret: string; previousUntil: string } | undefined>
  /** whsec_…: what notices to `webhooks.operationsUrl` are signed with. */
  operationsSecret(): Promise<string>
  /** Sets it to what is given, or to a new one, and answers it. */
  changeOperationsSecret(secret: string | undefined): Promise<string>
  settings(): Promise<{ region: string; secretKey: string }>
  changeSettings(settings: { region?: string | undefined; secretKey?: string | undefined }): Promise<void>
}
