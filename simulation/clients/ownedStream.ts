/** Blocks in which a stream watches an address. */
export type Span = { address: string; from: number; to: number | undefined }

/** A change of addresses that was requested, and whose answer was lost: it is requested again until there is one. */
export type Unanswered = { address: string; isRemoval: boolean; inconsistency: Span }

/** A stream as its owner knows it, from the answers to what he requested. */
export type OwnedStream = {
  id: string
  tag: string
  /** The path that it posts to. */
  path: string
  from: number
  /** undefined: every address. */
  spans: Span[] | undefined
  /** Blocks in which nobody knows whether it watches an address, as the answer to a change was lost. */
  inconsistencies: Span[]
  unanswered: Unanswered | undefined
  /** Selectors of the events that it wants; undefined: all. */
  topics: string[] | undefined
  /** It wants transactions beside logs. */
  hasTransactions: boolean
  confirmedOnly: boolean
  delivery: 'ordered' | 'unordered'
  /** It has history, so its confirmed webhooks come in the order of two lists. */
  hasHistory: boolean
  /** How often each id was requested again. */
  replays: Map<string, number>
  isPaused: boolean
  /** Its owner deletes it: when that was answered, in the journal's time; `asked`: not yet. */
  deleted: number | 'asked' | undefined
}
