/** Indexing progress of a collection, from response headers. Blocks are null if they are not known yet. */
export type IndexProgress = {
  status: string
  /** Part of the blocks that is covered, from 0 to 1. */
  share: number
  /** Part of the tokens whose metadata was tried, from 0 to 1. */
  metadataShare: number
  fromBlock: number | null
  toBlock: number | null
  headBlock: number | null
  lag: number | null
  failure: string | null
  incomplete: string | null
}

export function readProgress(headers: Headers | undefined): IndexProgress {
  const text = (name: string) => headers?.get(`x-index-${name}`) ?? null
  const count = (name: string) => (text(name) === null ? null : Number(text(name)))
  return {
    status: text('status') ?? 'queued',
    share: count('progress') ?? 0,
    metadataShare: count('metadata-progress') ?? 0,
    fromBlock: count('from-block'),
    toBlock: count('to-block'),
    headBlock: count('head-block'),
    lag: count('lag-blocks'),
    failure: text('failure'),
    incomplete: text('incomplete'),
  }
}
