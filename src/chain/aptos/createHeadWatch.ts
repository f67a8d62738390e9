import { larger } from '../../util/extremes.ts'
import type { Standby } from './standby.ts'

/** What sources say of the head while another one is read: a stream may lag for ever and never fall silent. */
export type HeadWatch = {
  /** Asks these sources for the head, where none was asked lately. Waits for no answer. */
  ask(standbys: readonly Standby[], signal: AbortSignal): void
  /** The head that a source told last; -1 where no source tells one now. */
  told(): bigint
  /** The same where it was not taken before, else undefined. */
  take(): bigint | undefined
}

export function createHeadWatch({ everyMs }: { everyMs: number }): HeadWatch {
  let told = -1n
  let isNew = false
  let isAsking = false
  let askedAt = Number.NEGATIVE_INFINITY

  async function learn(answers: readonly Promise<{ head: bigint }>[]): Promise<void> {
    const heads = (await Promise.allSettled(answers)).flatMap((a) => (a.status === 'fulfilled' ? [a.value.head] : []))
    told = heads.reduce(larger, -1n)
    isNew = heads.length > 0
    isAsking = false
  }

  return {
    ask(standbys, signal) {
      if (isAsking || performance.now() < askedAt + everyMs) return
      isAsking = true
      askedAt = performance.now()
      void learn(standbys.map(({ source }) => source.ledger(signal)))
    },
    told: () => told,
    take() {
      if (!isNew) return undefined
      isNew = false
      return told
    },
  }
}
