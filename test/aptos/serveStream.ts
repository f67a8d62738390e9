import { once } from 'node:events'
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay, setImmediate as nextTick } from 'node:timers/promises'
import * as protos from '@aptos-labs/aptos-protos'
import protobuf from 'protobufjs'
import type { AptosChain, ScriptedTransaction } from './aptosChain.ts'
import { type NodeFaults, strikes } from './nodeFaults.ts'

export type FakeStream = {
  /** host:port. */
  address: string
  /** Number of accepted requests. */
  requests(): number
  close(): Promise<void>
}

export type FakeStreamOptions = {
  chain: AptosChain
  faults?: NodeFaults | undefined
  chainId?: () => number
  /** Versions below this one are pruned. A request for them ends with this gRPC status. With status 0, the stream begins later instead. */
  oldest?: () => bigint
  prunedStatus?: number
  /** While this is true, new requests get no response, and open streams send nothing more. */
  isUnresponsive?: () => boolean
  token?: string
  /** The reaction to a request without a version: `head` as newer services, `refuse` as older ones. */
  withoutVersion?: 'head' | 'refuse'
  /** The reaction to a request past the head: `wait` as older services, `refuse` as newer ones. */
  pastHead?: 'wait' | 'refuse'
  /** How many versions the responding server is behind the chain. */
  behind?: () => bigint
  batchSize?: number
  /** Sends the processed range, as newer services do. */
  processedRange?: boolean
  /** Replaces the transactions of a message. */
  distort?: (batch: readonly ScriptedTransaction[]) => StreamMessage
}

/** The transactions of a message, and the range of versions that the stream reports as processed. */
export type StreamMessage = {
  sent: readonly ScriptedTransaction[]
  processed?: { first: bigint; last: bigint } | undefined
}

const { GetTransactionsRequest } = protos.aptos.indexer.v1
const path = '/aptos.indexer.v1.RawData/GetTransactions'

/** The transaction stream over a chain in memory. It uses plain HTTP/2, so that it can break anywhere in a message. */
export async function serveStream(options: FakeStreamOptions): Promise<FakeStream> {
  const {
    chain,
    faults,
    chainId = () => chain.chainId,
    batchSize = 7,
    withoutVersion = 'head',
    pastHead = 'wait',
    oldest = () => 0n,
    prunedStatus = 5,
    isUnresponsive = () => false,
    behind = () => 0n,
  } = options
  const sessions = new Set<ServerHttp2Session>()
  let requests = 0

  function end(stream: ServerHttp2Stream, status: number, message = ''): void {
    if (stream.destroyed) return
    if (!stream.headersSent) {
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status, 'grpc-message': message },
        { endStream: true },
      )
      return
    }
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status, 'grpc-message': message }))
    stream.end()
  }

  async function serve(stream: ServerHttp2Stream, request: Request, signal: AbortSignal): Promise<void> {
    if (request.startingVersion === undefined && withoutVersion === 'refuse')
      return end(stream, 3, 'starting_version is needed')
    let next = request.startingVersion ?? (chain.head() < 0n ? 0n : chain.head())
    if (next > chain.head() - behind() + 10_000n && pastHead === 'refuse') return end(stream, 9, 'far future')
    if (next < oldest() && prunedStatus !== 0) return end(stream, prunedStatus, `version ${next} is not kept`)
    if (next < oldest()) next = oldest()
    const last = request.transactionsCount === undefined ? undefined : next + request.transactionsCount - 1n
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
    let before: ScriptedTransaction[] = []
    while (!signal.aborted && (last === undefined || next <= last)) {
      while (next > chain.head() && !signal.aborted) await chain.changed(signal)
      if (signal.aborted || isUnresponsive()) return
      if (strikes(faults, 'silence')) return void (await delay(60_000, undefined, { signal }).catch(() => undefined))
      if (strikes(faults, 'cut')) return stream.close(2)
      if (strikes(faults, 'unavailable')) return end(stream, 14, 'not now')
      if (strikes(faults, 'rateLimit')) return end(stream, 8, 'too many')
      if (strikes(faults, 'early')) return end(stream, 0)
      let batch: ScriptedTransaction[] = []
      while (batch.length < batchSize && next <= chain.head() && (last === undefined || next <= last))
        batch.push(chain.at(next++)!)
      if (strikes(faults, 'duplicate')) batch = [...before, ...batch]
      if (batch.length > 2 && strikes(faults, 'gap')) batch = batch.toSpliced(1, 1)
      const processed = options.processedRange && { first: batch[0]!.version, last: batch.at(-1)!.version }
      const message = frame(options.distort?.(batch) ?? { sent: batch, processed: processed || undefined }, chainId())
      if (strikes(faults, 'half')) {
        await new Promise((resolve) => stream.write(message.subarray(0, message.length >> 1), resolve))
        return stream.close(2)
      }
      if (strikes(faults, 'nonsense')) message.fill(0xff, 5)
      if (!stream.write(message) && !stream.destroyed) await drained(stream)
      before = batch
      // In Node 24, a stream that is reset in the tick of a write never ends and uses all memory.
      await nextTick()
    }
    end(stream, 0)
  }

  const server = createServer()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    session.on('error', () => undefined)
  })
  server.on('stream', (stream, headers) => {
    const closed = new AbortController()
    stream.on('error', () => undefined)
    stream.on('close', () => closed.abort())
    if (headers[':path'] !== path) return end(stream, 12, 'no such method')
    if (options.token !== undefined && headers.authorization !== `Bearer ${options.token}`)
      return end(stream, 16, 'no such key')
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      requests += 1
      if (isUnresponsive()) return
      const requested = GetTransactionsRequest.decode(Buffer.concat(chunks).subarray(5))
      void serve(
        stream,
        { startingVersion: requested.startingVersion, transactionsCount: requested.transactionsCount },
        closed.signal,
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    server.close()
    for (const session of sessions) session.destroy()
    await once(server, 'close')
  }
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests, close }
}

type Request = { startingVersion: bigint | undefined; transactionsCount: bigint | undefined }

function drained(stream: ServerHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}

/** A gRPC message: a flag, its length, and a TransactionsResponse. */
function frame({ sent, processed }: StreamMessage, chainId: number): Buffer {
  const writer = protobuf.Writer.create()
  for (const { encoded } of sent) writer.uint32(10).bytes(encoded)
  writer.uint32(16).uint32(chainId)
  if (processed)
    writer
      .uint32(26)
      .fork()
      .uint32(8)
      .uint64(Number(processed.first))
      .uint32(16)
      .uint64(Number(processed.last))
      .ldelim()
  const payload = writer.finish()
  const head = Buffer.alloc(5)
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}
