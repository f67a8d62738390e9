import { SingleBar } from 'cli-progress'
import type { Print } from './print.ts'

/** Shows a task's progress on standard error: a bar on a terminal, else a line now and then. */
export type Progress = {
  /** `part`: 0 to 1; `text`: further information. */
  update(part: number, text: string): void
  stop(): void
}

/** Interval of lines without a terminal. */
const lineMs = 5_000

export function createProgress(print: Print): Progress {
  return print.interactive ? createBar() : createLines(print)
}

function createBar(): Progress {
  const bar = new SingleBar({
    format: '{bar} {percentage} % | {text}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    stream: process.stderr,
  })
  let started = false
  return {
    update(part, text) {
      if (!started) bar.start(1, 0, { text })
      started = true
      bar.update(part, { text })
    },
    stop() {
      if (started) bar.stop()
    },
  }
}

function createLines(print: Print): Progress {
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    update(part, text) {
      if (performance.now() - lastAt < lineMs) return
      lastAt = performance.now()
      print.note(`${Math.floor(part * 100)} %, ${text}`)
    },
    stop() {},
  }
}
