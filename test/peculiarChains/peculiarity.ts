import type { RpcServerCall } from '../rpcServer.ts'
import type { ScriptedNode } from '../scriptedNode.ts'

export type Fields = Record<string, unknown>

/** How the node of a chain differs from the execution APIs' specification. All values are invented. */
export type Peculiarity = {
  chain: string
  what: string
  /** Source of the description: documentation, a file of the client, an issue. */
  source: string
  /** A block in the form of this node. */
  block?: (block: Fields) => Fields
  /** A log in the form of this node, in eth_getLogs and in receipts. */
  log?: (log: Fields) => Fields
  /** The receipts of a block in the form of this node. */
  receipts?: (receipts: Fields[]) => Fields[]
  /** Additional fields of complete transactions. */
  transaction?: Fields
  /** A special response of the node; undefined: the usual response. */
  answer?: (call: RpcServerCall, chain: ScriptedNode) => unknown
  /** Block 5 has a log of a system transaction that is in no list and has no receipt. */
  systemLog?: boolean
  /** Numbers without a block. */
  absent?: readonly number[]
}
