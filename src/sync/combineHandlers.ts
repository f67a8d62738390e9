import type { Transaction } from '../db/database.ts'
import type { Hex } from '../util/hex.ts'
import { type BlockHandler, type FollowedBlock, unionOf } from './blockHandler.ts'

/**
 * Combines several handlers of one chain: a block is read once, and each handler gets the logs that it requested. Handlers are called in order,
 * within one transaction.
 */
export function combineHandlers(handlers: readonly BlockHandler[]): BlockHandler {
  /** Topics that each handler requested when the current blocks were read. */
  let requested: (ReadonlySet<Hex> | null)[] = handlers.map(topicsOf)

  function own(block: FollowedBlock, place: number): FollowedBlock {
    const topics = requested[place]
    if (!topics) return block
    return { ...block, logs: block.logs.filter((log) => log.topics[0] !== undefined && topics.has(log.topics[0])) }
  }

  const serially = async (work: (handler: BlockHandler, place: number) => Promise<unknown> | undefined) => {
    for (const [place, handler] of handlers.entries()) await work(handler, place)
  }

  return {
    get topics() {
      requested = handlers.map(topicsOf)
      if (requested.includes(null)) return null
      return [...new Set(requested.flatMap((topics) => [...topics!]))]
    },
    watched: () => unionOf(handlers.map((handler) => handler.watched())),
    parties: () => handlers.flatMap((handler) => handler.parties?.() ?? []),
    followed() {
      const all = handlers.map((handler) => handler.followed())
      const sum = (of: 'collections' | 'streams') => all.reduce((total, followed) => total + followed[of], 0)
      return {
        collections: sum('collections'),
        streams: sum('streams'),
        discovers: all.some(({ discovers }) => discovers),
      }
    },
    fitting(blocks) {
      const all = handlers.map((handler, place) => handler.fitting?.(blocks.map((block) => own(block, place))))
      return all.reduce<number>((least, fitting) => Math.min(least, fitting ?? least), blocks.length)
    },
    prepare: ({ fork, blocks }) =>
      serially((handler, place) => handler.prepare?.({ fork, blocks: blocks.map((block) => own(block, place)) })),
    apply: (tx: Transaction, block) => serially((handler, place) => handler.apply(tx, own(block, place))),
    async undoTo(fork, cursor) {
      const all = await Promise.all(handlers.map((handler) => handler.undoTo?.(fork, cursor)))
      return all.reduce<bigint>((highest, to) => (to !== undefined && to > highest ? to : highest), fork)
    },
    revert: (tx, fork) => serially((handler) => handler.revert(tx, fork)),
    finalize: (tx, number) => serially((handler) => handler.finalize(tx, number)),
    release: (tx, number) => serially((handler) => handler.release(tx, number)),
    committed(step) {
      for (const [place, handler] of handlers.entries())
        handler.committed({ ...step, blocks: step.blocks.map((block) => own(block, place)) })
    },
    async close() {
      await Promise.all(handlers.map((handler) => handler.close?.()))
    },
    async join(cursor, signal) {
      let joined = false
      for (const handler of handlers) joined = (await handler.join(cursor, signal)) || joined
      return joined
    },
  }
}

function topicsOf({ topics }: BlockHandler): ReadonlySet<Hex> | null {
  return topics === null ? null : new Set(topics)
}
