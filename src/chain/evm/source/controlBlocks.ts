import { createLru } from '../../../util/createLru.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import type { LogRange } from './source.ts'

/** Most contract and topic pairs with remembered blocks, and most blocks of each. */
const mostKnown = 10_000
const mostControls = 16
/** Consecutive answers without logs after which a block no longer counts: its logs may have been of a fork. */
const mostMisses = 4

/** A block with logs, and its number of consecutive answers without any. */
type Control = { block: bigint; misses: number }

type Filter = Pick<LogRange, 'address' | 'topics'>

/** Blocks known to have logs: an endpoint that returns none for them lacks their logs, or returns no logs at all. */
export type ControlBlocks = {
  remember(range: Filter, logs: readonly Pick<RpcLog, 'blockNumber'>[]): void
  /** The nearest known block with logs, at most `to`. */
  nearest(range: LogRange, to: bigint): LogRange | undefined
  /** Records whether an answer had logs of the block. */
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
