/** Blocks in which a stream watches an address. */
export type Span = { address: string; from: number; to: number | undefined }

/** A change of addresses whose response was lost. The owner sends it again until there is a response. */
export type Unanswered = { address: string; isRemoval: boolean; inconsistency: Span }

/** A stream as its owner knows it from the responses to its requests. */
export type OwnedStream = {
  id: string
  tag: string
  /** The path of its webhook URL. */
  path: string
  from: number
  /** undefined: it watches every address. */
  spans: Span[] | undefined
  /** Blocks in which it is unknown whether the stream watches an address, because the response to a change was lost. */
  inconsistencies: Span[]
  unanswered: Unanswered | undefined
  /** Topics of the events that it matches; undefined: all. */
  topics: string[] | undefined
  /** It matches transactions as well as logs. */
  hasTransactions: boolean
  confirmedOnly: boolean
  delivery: 'ordered' | 'unordered'
  /** It has history, so two queues send its confirmed webhooks, each in its own order. */
  hasHistory: boolean
  /** Number of requested replays by webhook id. */
  replays: Map<string, number>
  isPaused: boolean
  /** The journal's time of the response to its deletion; `asked`: there is no response yet; undefined: it is not deleted. */
  deleted: number | 'asked' | undefined
}
