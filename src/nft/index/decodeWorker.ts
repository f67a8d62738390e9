import { decodeReply } from '../../chain/evm/source/decodedLogs.ts'
import type { DecodedReply, LogQuestion } from '../../chain/evm/source/source.ts'
import { serveThread } from '../../util/threads/serveThread.ts'
import type { CollectionKey } from '../transfers/transferGroup.ts'
import { buffersOf, type PreparedLogs, prepareLogs } from './prepareLogs.ts'

// Program of a thread that decodes node responses into rows: parsing and decoding would block the main thread.

export type DecodeJob = {
  reply: Uint8Array<ArrayBuffer>
  question: LogQuestion
  nesting: number
  collection: CollectionKey
}

serveThread<DecodeJob, DecodedReply<PreparedLogs>>(({ reply, collection, ...requested }) => {
  const bytes = Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength)
  const answer = decodeReply({ ...requested, bytes }, (logs) => prepareLogs(logs, collection))
  const of = answer.verdict?.of
  return { answer, transfer: of && 'decoded' in of ? buffersOf(of.decoded.of) : [] }
})
