import { Client, credentials, Metadata } from '@grpc/grpc-js'
import type { Log } from '../../log.ts'
import { AptosAnswerError, AptosSilentError, AptosUnavailableError } from './aptosError.ts'
import { createResponseDecoder, type DecodedResponse } from './decodeResponse.ts'
import { findHead } from './findHead.ts'
import { grpcError } from './grpcError.ts'
import { messageType, transactionsPath } from './proto.ts'
import type { AptosBatch, AptosLedger, AptosSource, ResourcePrefix } from './source.ts'

export type GrpcSourceOptions = {
  /** `host:port` (TLS where the port is 443), `https://host[:port]` or `http://host:port`. */
  address: string
  token: string | undefined
  resource: ResourcePrefix
  /** A stream that says nothing for so long is opened again. */
  silenceMs: number
  log: Log
}

/** Longest message that a server may send. */
const maxMessageBytes = 256 * 1024 * 1024

/** How long a version that may be past the head is waited for. */
const probeMs = 2_500

/** How often a connection that breaks is made again for one question. */
const maxPeeks = 3

type Request = { startingVersion?: bigint; transactionsCount?: bigint }

/** The transaction stream of an indexer service, or of a fullnode with its indexer turned on. */
export function createGrpcSource(options: GrpcSourceOptions): AptosSource {
  const { token, silenceMs, log } = options
  const { target, secure } = parseGrpcAddress(options.address)
  const request = messageType('GetTransactionsRequest')
  const decode = createResponseDecoder(options.resource)
  const channel = secure ? credentials.createSsl() : credentials.createInsecure()
  const channelOptions = {
    // A connection for each stream: streams on one share its flow control, and one that stalls takes the others along.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
    'grpc.initial_reconnect_backoff_ms': 200,
    'grpc.max_reconnect_backoff_ms': 5_000,
    // The default of 64 kB makes every message of a megabyte wait for sixteen round trips.
    'grpc-node.flow_control_window': 4 * 1024 * 1024,
  }
  let highest = 0n

  /** Messages one after another: the next is read from the connection when the one before was taken. */
  async function* messages(asked: Request, waitMs: number, signal: AbortSignal): AsyncGenerator<DecodedResponse> {
    signal.throwIfAborted()
    const metadata = new Metadata()
    metadata.set('x-aptos-request-name', 'mintmark')
    if (token !== undefined) metadata.set('authorization', `Bearer ${token}`)
    const client = new Client(target, channel, channelOptions)
    const call = client.makeServerStreamRequest(
      transactionsPath,
      (value: Request) => Buffer.from(request.encode(request.fromObject(texts(value))).finish()),
      (bytes: Buffer) => decode(bytes),
      asked,
      metadata,
    )
    let silent = false
    const abort = () => call.cancel()
    signal.addEventListener('abort', abort, { once: true })
    const iterator = call[Symbol.asyncIterator]()
    try {
      for (;;) {
        const timer = setTimeout(() => {
          silent = true
          call.cancel()
        }, waitMs)
        const next = await iterator.next().finally(() => clearTimeout(timer))
        if (next.done) return
        yield next.value
      }
    } catch (error) {
      signal.throwIfAborted()
      if (silent) throw new AptosSilentError(`${target} said nothing for ${waitMs} ms`)
      throw grpcError(target, error)
    } finally {
      signal.removeEventListener('abort', abort)
      // A stream that was cancelled tells of it once more.
      call.on('error', (err) => log.debug({ err }, 'aptos stream closed'))
      call.cancel()
      client.close()
    }
  }

  /** The first message; undefined where the server has none to give now. */
  async function peek(asked: Request, signal: AbortSignal): Promise<DecodedResponse | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        for await (const message of messages(asked, Math.min(probeMs, silenceMs), signal)) return message
        return undefined
      } catch (error) {
        if (error instanceof AptosSilentError || error instanceof AptosAnswerError) return undefined
        if (!(error instanceof AptosUnavailableError) || attempt >= maxPeeks) throw error
      }
    }
  }

  return {
    rangeWidth: 50_000n,

    async ledger(signal): Promise<AptosLedger> {
      // Newer services begin at their head where no version is asked for; older ones refuse, or begin at 0.
      const newest = await peek({}, signal)
      const known = newest ?? (await peek({ startingVersion: highest, transactionsCount: 1n }, signal))
      if (!known) throw new AptosUnavailableError(`${target} gives no transactions`)
      if (known.last !== undefined && BigInt(known.last) > highest) highest = BigInt(known.last)
      const head = await findHead(highest, async (version) => {
        const found = await peek({ startingVersion: version, transactionsCount: 1n }, signal)
        return found?.first === Number(version)
      })
      if (head > highest) highest = head
      return { chainId: known.chainId, head: highest, oldest: undefined }
    },

    async *read({ from, to }, signal): AsyncGenerator<AptosBatch> {
      const asked: Request = {
        startingVersion: from,
        ...(to === undefined ? {} : { transactionsCount: to - from + 1n }),
      }
      let next = from
      for await (const message of messages(asked, silenceMs, signal)) {
        const batch = follow(message, next, to)
        if (!batch) continue
        next = batch.to + 1n
        if (batch.to > highest) highest = batch.to
        yield { ...batch, head: highest }
        if (to !== undefined && next > to) return
      }
      // Services close a stream where their archive ends, so an early end says nothing about the chain.
      if (to === undefined || next <= to)
        throw new AptosUnavailableError(`${target} ended the stream at version ${next}`)
    },

    // Every stream closes its own connection.
    async close() {},
  }
}

/** What a message adds to versions below `next`; undefined where it adds nothing. Throws AptosAnswerError where one is missing. */
function follow(message: DecodedResponse, next: bigint, to: bigint | undefined): Omit<AptosBatch, 'head'> | undefined {
  const { first, last, processed, consecutive, chainId } = message
  const whole = processed ?? (first === undefined || last === undefined ? undefined : { first, last })
  if (!whole) return undefined
  // Without a processed range only an unbroken row of versions proves that none is missing.
  if (!processed && !consecutive)
    throw new AptosAnswerError(`versions ${first} to ${last} came with gaps or out of order`)
  if (BigInt(whole.first) > next) throw new AptosAnswerError(`version ${whole.first} came where ${next} is the next`)
  let end = BigInt(whole.last)
  if (to !== undefined && end > to) end = to
  if (end < next) return undefined
  const transactions = message.transactions.filter(({ version }) => version >= next && version <= end)
  return { chainId, from: next, to: end, transactions }
}

function texts(request: Request): Record<string, string> {
  return Object.fromEntries(Object.entries(request).map(([name, value]) => [name, String(value)]))
}

/** TLS for https:// and for port 443; a node of one's own on another port speaks without. */
export function parseGrpcAddress(address: string): { target: string; secure: boolean } {
  const match = /^(?:(https?):\/\/)?(.*?)\/?$/.exec(address)!
  const [, scheme, rest = ''] = match
  const port = /:(\d+)$/.exec(rest)?.[1]
  const secure = scheme === undefined ? port === undefined || port === '443' : scheme === 'https'
  return { target: port === undefined ? `${rest}:${secure ? 443 : 80}` : rest, secure }
}
