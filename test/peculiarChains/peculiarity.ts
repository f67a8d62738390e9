import type { RpcServerCall } from '../rpcServer.ts'
import type { ScriptedNode } from '../scriptedNode.ts'

export type Fields = Record<string, unknown>

/** How the node of a chain differs from what the execution APIs say. All values are made up. */
export type Peculiarity = {
  chain: string
  what: string
  /** Where it is described: documentation, a file of the client, an issue. */
  source: string
  /** A block as the node gives it. */
  block?: (block: Fields) => Fields
  /** A log as the node gives it, in eth_getLogs and in receipts. */
  log?: (log: Fields) => Fields
  /** The receipts of a block as the node gives them. */
  receipts?: (receipts: Fields[]) => Fields[]
  /** Fields of whole transactions. */
  transaction?: Fields
  /** An answer of the node's own; undefined: as others. */
  answer?: (call: RpcServerCall, chain: ScriptedNode) => unknown
  /** Block 5 has a log of a system transaction, which is in no list and has no receipt. */
  systemLog?: boolean
  /** Numbers that have no block. */
  absent?: readonly number[]
}
