import { createLru } from '../../../util/createLru.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import type { LogRange } from './source.ts'

/** Most contract and topic pairs with remembered blocks, and most blocks of each. */
const mostKnown = 10_000
const mostControls = 16

/** A block that has logs. */
type Control = { from: bigint; to: bigint }

type Filter = Pick<LogRange, 'address' | 'topics'>

/** Blocks known to have logs: an endpoint that returns none for them lacks their logs, or returns no logs at all. */
export type ControlBlocks = {
  remember(range: Filter, logs: readonly Pick<RpcLog, 'blockNumber'>[]): void
  /** The nearest block below `to` that is known to have logs. */
  nearest(range: LogRange, to: bigint): LogRange | undefined
  forget(control: LogRange): void
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
        const number = BigInt(log.blockNumber)
        const place = known.length < mostControls ? known.length : Math.floor(Math.random() * mostControls)
        known[place] = { from: number, to: number }
      }
      if (known.length > 0) controls.set(key, known)
    },
    nearest(range, to) {
      let nearest: Control | undefined
      for (const control of controls.get(keyOf(range)) ?? [])
        if (control.to <= to && (!nearest || control.to > nearest.to)) nearest = control
      return nearest && { ...range, ...nearest }
    },
    forget(control) {
      const known = controls.get(keyOf(control))?.filter(({ from }) => from !== control.from)
      if (known) controls.set(keyOf(control), known)
    },
  }
}
