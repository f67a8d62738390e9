import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { decodeTransfers, type LogSurvey, surveyLogs } from '../transfers/decodeTransfers.ts'
import { type CollectionKey, chunkSize, historyGroup, type TransferGroup } from '../transfers/transferGroup.ts'

/** Logs of a range of history, ready to be stored. */
export type PreparedLogs = {
  survey: LogSurvey
  /** All transfers of the logs; undefined: none. */
  group: TransferGroup | undefined
}

/** undefined: the logs have more transfers than the limit of a batch. */
export function prepareLogs(logs: readonly RpcLog[], collection: CollectionKey): PreparedLogs | undefined {
  const survey = surveyLogs(logs, collection)
  if (survey.transfers > chunkSize) return undefined
  const group = survey.transfers > 0 ? historyGroup(collection, [...decodeTransfers(logs, collection)]) : undefined
  return { survey, group }
}

/** Buffers of prepared logs that can be transferred. */
export function buffersOf({ group }: PreparedLogs): ArrayBuffer[] {
  if (!group) return []
  const { transfers, staged, balances, minted } = group
  const rows = minted ? [minted.rows.bytes, minted.rows.ends] : []
  return [transfers, staged, balances, ...rows].map(({ buffer }) => buffer)
}
