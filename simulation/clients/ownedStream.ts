/** Blocks in which a stream watches an address. */
export type Span = { address: string; from: number; to: number | undefined }

/** A stream as its owner knows it, from the answers to what he asked for. */
export type OwnedStream = {
  id: string
  tag: string
  /** The path that it posts to. */
  path: string
  from: number
  /** undefined: every address. */
  spans: Span[] | undefined
  /** Selectors of the events that it wants; undefined: all. */
  topics: string[] | undefined
  confirmedOnly: boolean
  delivery: 'ordered' | 'unordered'
  /** It has history, so its confirmed webhooks come in the order of two lists. */
  hasHistory: boolean
  /** How often each id was asked for again. */
  replays: Map<string, number>
  isPaused: boolean
  /** A change was asked for and not answered: what it holds for is not known, so it is given up. */
  isUnknown: boolean
}
