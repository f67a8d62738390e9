import { SingleBar } from 'cli-progress'
import type { CollectionState } from '../nft/query.ts'
import type { Print } from './print.ts'

/** Shows how far an indexing is, on standard error. */
export type Progress = {
  update(state: CollectionState): void
  stop(): void
}

/** Where nobody watches a terminal, a line is written this often. */
const lineMs = 5_000

export function createProgress(print: Print): Progress {
  return print.interactive ? createBar() : createLines(print)
}

function createBar(): Progress {
  const bar = new SingleBar({
    format: '{bar} {percentage} % | {tokens} tokens | block {block} of {head} | {status}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    stream: process.stderr,
  })
  const payload = (state: CollectionState) => ({
    tokens: String(state.tokens),
    block: String(state.toBlock ?? '-'),
    head: String(state.headBlock ?? '-'),
    status: state.status,
  })
  let started = false
  return {
    update(state) {
      if (!started) bar.start(1, 0, payload(state))
      started = true
      bar.update(state.progress, payload(state))
    },
    stop() {
      if (started) bar.stop()
    },
  }
}

function createLines(print: Print): Progress {
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    update({ status, progress, tokens }) {
      if (performance.now() - lastAt < lineMs) return
      lastAt = performance.now()
      print.note(`${status}, ${Math.floor(progress * 100)} %, ${tokens} tokens`)
    },
    stop() {},
  }
}
