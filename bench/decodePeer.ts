import { Client, credentials } from '@grpc/grpc-js'
import protobuf from 'protobufjs'
import { messageType, transactionsPath } from '../src/chain/aptos/proto.ts'
import { answer, childInput } from './child.ts'
import { firstVersion, transactionTemplates } from './recordedTransactions.ts'

/**
 * Bare decoding: grpc-js and protobufjs with the same few fields. It decodes the same streams, as many in parallel as the product reads,
 * and then messages that are already in memory. It validates and stores nothing.
 */
export type DecodeInput = { address: string; transactions: number; streams: number }
export type DecodeResult = { perSecond: number; inMemoryPerSecond: number }

const { address, transactions, streams } = childInput<DecodeInput>()
const type = messageType('TransactionsResponse')
const request = messageType('GetTransactionsRequest')
const client = new Client(address.replace('http://', ''), credentials.createInsecure(), {
  'grpc.max_receive_message_length': 256 * 1024 * 1024,
  'grpc-node.flow_control_window': 4 * 1024 * 1024,
})

async function read(startingVersion: number, transactionsCount: number): Promise<void> {
  const call = client.makeServerStreamRequest(
    transactionsPath,
    (value: object) => Buffer.from(request.encode(request.fromObject(value)).finish()),
    (bytes: Buffer) => type.decode(bytes) as unknown as { transactions: unknown[] },
    { startingVersion, transactionsCount },
  )
  let remaining = transactionsCount
  for await (const message of call) {
    remaining -= (message as { transactions: unknown[] }).transactions.length
    if (remaining <= 0) return
  }
  throw new Error(`the stream ended ${remaining} transactions early`)
}

async function streamed(): Promise<number> {
  const each = Math.floor(transactions / streams)
  const started = performance.now()
  await Promise.all(Array.from({ length: streams }, (_, i) => read(firstVersion + i * each, each)))
  return ((each * streams) / (performance.now() - started)) * 1_000
}

function inMemory(): number {
  const { templates } = transactionTemplates()
  const writer = protobuf.Writer.create()
  for (const { bytes } of templates) writer.uint32(10).bytes(bytes)
  const message = Buffer.from(writer.finish())
  for (const warm = performance.now() + 300; performance.now() < warm; ) type.decode(message)
  let count = 0
  const started = performance.now()
  while (performance.now() - started < 1_000) {
    type.decode(message)
    count += templates.length
  }
  return (count / (performance.now() - started)) * 1_000
}

answer({ perSecond: await streamed(), inMemoryPerSecond: inMemory() } satisfies DecodeResult)
client.close()
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
