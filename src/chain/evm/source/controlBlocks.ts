import { createLru } from '../../../util/createLru.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import type { LogRange } from './source.ts'

/** Contracts and topics of which blocks with logs are remembered, and blocks of each. */
const mostKnown = 10_000
const mostControls = 16
/** So often in a row no logs come of a block before it counts as one that has none: they may have been of a fork. */
const mostMisses = 4

/** A block that has logs, and how often in a row none came of it. */
type Control = { block: bigint; misses: number }

type Filter = Pick<LogRange, 'address' | 'topics'>

/** Blocks that are known to have logs: an endpoint that gives none of them has no logs of these blocks, or of none. */
export type ControlBlocks = {
  remember(range: Filter, logs: readonly Pick<RpcLog, 'blockNumber'>[]): void
  /** The nearest block below `to` that is known to have logs. */
  nearest(range: LogRange, to: bigint): LogRange | undefined
  /** Whether an answer had logs of the block. */
  note(control: LogRange, hadLogs: boolean): void
}

export function createControlBlocks(): ControlBlocks {
  const controls = createLru<string, Control[]>(mostKnown)
  const keyOf = ({ address, topics }: Filter) => `${address ?? ''} ${JSON.stringify(topics)}`
  return {
    remember(range, logs) {
      const key = keyOf(range)
      const known = controls.get(key) ?? []
      for (const log of new Set([logs[0], logs.at(-1)])) {
        if (!log) continue
        const block = BigInt(log.blockNumber)
        const place = known.length < mostControls ? known.length : Math.floor(Math.random() * mostControls)
        known[place] = { block, misses: 0 }
      }
      if (known.length > 0) controls.set(key, known)
    },
    nearest(range, to) {
      let nearest: Control | undefined
      for (const control of controls.get(keyOf(range)) ?? [])
        if (control.block <= to && (!nearest || control.block > nearest.block)) nearest = control
      return nearest && { ...range, from: nearest.block, to: nearest.block }
    },
    note(range, hadLogs) {
      const known = controls.get(keyOf(range))
      const control = known?.find(({ block }) => block === range.from)
      if (!known || !control) return
      control.misses = hadLogs ? 0 : control.misses + 1
      if (control.misses >= mostMisses) known.splice(known.indexOf(control), 1)
    },
  }
}
