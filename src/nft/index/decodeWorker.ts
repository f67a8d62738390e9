import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { decodeReply } from '../../chain/evm/source/decodedLogs.ts'
import type { DecodedReply, LogQuestion } from '../../chain/evm/source/source.ts'
import { serveThread } from '../../util/threads/serveThread.ts'
import type { CollectionKey } from '../transfers/transferGroup.ts'
import { buffersOf, type PreparedLogs, prepareLogs } from './prepareLogs.ts'

// Program of a thread that decodes node responses into rows: parsing and decoding would block the main thread.

/** A response of a node, or the logs of several that the main thread has parsed. */
export type DecodeJob = { collection: CollectionKey } & (
  | { reply: Uint8Array<ArrayBuffer>; question: LogQuestion; nesting: number }
  | { logs: readonly RpcLog[] }
)

/** A decoded response, or prepared logs. */
export type DecodeResult = DecodedReply<PreparedLogs> | PreparedLogs | undefined

serveThread<DecodeJob, DecodeResult>(({ collection, ...job }) => {
  if ('logs' in job) {
    const answer = prepareLogs(job.logs, collection)
    return { answer, transfer: answer ? buffersOf(answer) : [] }
  }
  const { reply, ...requested } = job
  const bytes = Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength)
  const answer = decodeReply({ ...requested, bytes }, (logs) => prepareLogs(logs, collection))
  const of = answer.verdict?.of
  return { answer, transfer: of && 'decoded' in of ? buffersOf(of.decoded.of) : [] }
})
