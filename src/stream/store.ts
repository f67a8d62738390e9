import type { HistoryItem, WebhookStatus } from './query.ts'

export type ReplayRange = {
  chainId: bigint | null
  fromBlock: bigint | null
  toBlock: bigint | null
  status: WebhookStatus | null
}

/** Changes what is delivered, and how it is signed. */
export type StreamStore = {
  /**
   * Sends a webhook again, its first body byte for byte. undefined: the stream has no such webhook. Throws ConflictError for
   * what was retracted.
   */
  replay(streamId: string, id: string): Promise<HistoryItem | undefined>
  /** Sends all webhooks of a stream within a range again, in their order; how many. */
  replayRange(streamId: string, range: ReplayRange): Promise<number>
  /** Gives a stream a new secret; the one before still signs until `previousUntil`. undefined: there is no such stream. */
  rotateSecret(streamId: string): Promise<{ webhookSecret: string; previousUntil: string } | undefined>
  /** whsec_…: what notices to `webhooks.operationsUrl` are signed with. */
  operationsSecret(): Promise<string>
  /** Sets it to what is given, or to a new one, and answers it. */
  changeOperationsSecret(secret: string | undefined): Promise<string>
  settings(): Promise<{ region: string; secretKey: string }>
  changeSettings(settings: { region?: string | undefined; secretKey?: string | undefined }): Promise<void>
}
