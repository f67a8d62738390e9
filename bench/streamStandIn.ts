import { createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import protobuf from 'protobufjs'
import { answer, childInput } from './child.ts'
import { firstVersion, transactionTemplates, writeVersion } from './recordedTransactions.ts'

/** A transaction stream that repeats the same transactions with new versions. */
export type StreamInput = { transactions: number; perMessage: number }
export type StreamAddress = { address: string; recorded: boolean; bytesPerTransaction: number }

const { transactions, perMessage } = childInput<StreamInput>()
const { templates, recorded } = transactionTemplates()
const end = firstVersion + transactions

/** The message is encoded once. Before each send only its versions change. */
function createMessage(length: number) {
  const writer = protobuf.Writer.create()
  for (let i = 0; i < length; i++) writer.uint32(10).bytes(templates[i % templates.length]!.bytes)
  const payload = Buffer.from(writer.uint32(16).uint32(1).finish())
  const message = Buffer.concat([Buffer.alloc(5), payload])
  message.writeUInt32BE(payload.length, 1)
  const places: number[] = []
  let at = 5
  for (let i = 0; i < length; i++) {
    const { bytes, versionAt } = templates[i % templates.length]!
    const start = message.indexOf(bytes, at)
    places.push(start + versionAt)
    at = start + bytes.length
  }
  return { message, places }
}

const whole = createMessage(perMessage)

function messageFrom(version: number, length: number): Buffer {
  const { message, places } = length === perMessage ? whole : createMessage(length)
  const bytes = Buffer.from(message)
  for (let i = 0; i < length; i++) writeVersion(bytes, places[i]!, version + i)
  return bytes
}

function serve(stream: ServerHttp2Stream, from: number, to: number): void {
  let next = from
  let closed = false
  const send = () => {
    while (!closed && next < to) {
      const length = Math.min(perMessage, to - next)
      next += length
      if (!stream.write(messageFrom(next - length, length))) return
    }
    if (next >= to && to < Number.MAX_SAFE_INTEGER && !closed) {
      closed = true
      if (to < end) {
        stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': 0 }))
        stream.end()
      }
    }
  }
  stream.on('drain', send)
  stream.on('close', () => {
    closed = true
  })
  stream.on('error', () => undefined)
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  send()
}

const request = new protobuf.Type('Request')
  .add(new protobuf.Field('startingVersion', 1, 'uint64'))
  .add(new protobuf.Field('transactionsCount', 2, 'uint64'))

const server = createServer({ maxSessionMemory: 1_000 })
server.on('stream', (stream) => {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => {
    const requested = request.toObject(request.decode(Buffer.concat(chunks).subarray(5)), { longs: Number })
    const from = requested.startingVersion ?? end - 1
    // A request beyond the head gets no message.
    const to = requested.transactionsCount === undefined ? end : Math.min(end, from + requested.transactionsCount)
    serve(stream, from, to)
  })
})
server.listen(0, '127.0.0.1', () => {
  const bytes = templates.reduce((sum, one) => sum + one.bytes.length, 0) / templates.length
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  answer({ address, recorded, bytesPerTransaction: bytes } satisfies StreamAddress)
})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
