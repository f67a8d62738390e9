import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { larger } from '../../util/extremes.ts'
import type { Log } from '../../util/log.ts'
import type { Mask } from '../../util/urls/secrets.ts'
import { createMask } from '../../util/urls/secrets.ts'
import { secretsOfText } from '../../util/urls/secretsOfUrl.ts'
import {
  AptosAbsentError,
  AptosAnswerError,
  type AptosError,
  AptosPrunedError,
  AptosRateLimitedError,
  AptosRejectedError,
  AptosUnavailableError,
  AptosUnresponsiveError,
} from './aptosError.ts'
import { createTransactionsDecoder, type DecodedTransactions } from './decodeTransactions.ts'
import { findHead } from './findHead.ts'
import { type Sent, sentOf, versionsFrom } from './messageVersions.ts'
import { messageType, transactionsPath } from './proto.ts'
import type { AptosBatch, AptosLedger, AptosSource, WantedChanges } from './source.ts'

export type GrpcSourceOptions = {
  /** `host:port` (TLS where the port is 443), `https://host[:port]` or `http://host:port`. */
  address: string
  token: string | undefined
  wanted: WantedChanges
  /** After this silence a stream counts as unresponsive, and the head is requested over another connection. In milliseconds. */
  silenceMs: number
  /** The first version that will be requested: the server may keep no earlier one. */
  firstVersion: bigint
  log: Log
}

/** Longest message that a server may send; services split their messages at 20 MB. */
const maxMessageBytes = 64 * 1024 * 1024

/** Longest wait for a version that may be past the head, and for an answer while a stream is idle, in milliseconds. */
const probeMs = 2_500

/** Attempts of one query when connections break. */
const maxPeeks = 3

type Request = { startingVersion?: bigint; transactionsCount?: bigint }

/** The transaction stream of an indexer service, or of a fullnode with its indexer enabled. */
export function createGrpcSource(options: GrpcSourceOptions): AptosSource {
  const { token, silenceMs, firstVersion, log } = options
  const { target, secure } = parseGrpcAddress(options.address)
  const mask = createMask(secretsOfText(token ?? ''))
  const request = messageType('GetTransactionsRequest')
  const decode = createTransactionsDecoder(options.wanted)
  const channel = secure ? credentials.createSsl() : credentials.createInsecure()
  const channelOptions = {
    // One connection per stream: streams of one connection share its flow control, and a stalled one stalls the others.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
    'grpc.initial_reconnect_backoff_ms': 200,
    'grpc.max_reconnect_backoff_ms': 5_000,
    // The default of 64 kB makes every message of a megabyte wait for sixteen round trips.
    'grpc-node.flow_control_window': 4 * 1024 * 1024,
  }
  /** The newest version read. */
  let highest = 0n
  /** The head found last. It is requested again before it is used, as a server may have reported a wrong one. */
  let found = 0n

  /**
   * The results of `take` for each message. The next message is read from the connection when the caller requests more. A message without a result
   * does not count as received.
   */
  async function* messages<T>(
    requested: Request,
    take: (message: DecodedTransactions) => T | undefined,
    waitMs: number,
    signal: AbortSignal,
  ): AsyncGenerator<T> {
    signal.throwIfAborted()
    const metadata = new Metadata()
    metadata.set('x-aptos-request-name', 'mintmark')
    if (token !== undefined) metadata.set('authorization', `Bearer ${token}`)
    const client = new Client(target, channel, channelOptions)
    const call = client.makeServerStreamRequest(
      transactionsPath,
      (value: Request) => Buffer.from(request.encode(request.fromObject(texts(value))).finish()),
      (bytes: Buffer) => decode(bytes),
      requested,
      metadata,
    )
    let isUnresponsive = false
    const abort = () => call.cancel()
    signal.addEventListener('abort', abort, { once: true })
    const iterator = call[Symbol.asyncIterator]()

    /** Undefined if the stream ended. */
    async function nextTaken(): Promise<T | undefined> {
      const timer = setTimeout(() => {
        isUnresponsive = true
        call.cancel()
      }, waitMs)
      try {
        for (;;) {
          const next = await iterator.next()
          const taken = next.done ? undefined : take(next.value)
          if (next.done || taken !== undefined) return taken
        }
      } finally {
        clearTimeout(timer)
      }
    }

    try {
      for (;;) {
        const taken = await nextTaken()
        if (taken === undefined) return
        yield taken
      }
    } catch (error) {
      signal.throwIfAborted()
      if (isUnresponsive) throw new AptosUnresponsiveError(`${target} sent nothing for ${waitMs} ms`)
      throw grpcError(target, error, mask)
    } finally {
      signal.removeEventListener('abort', abort)
      // A cancelled stream emits one more error, which would end the process without a listener.
      call.on('error', (err) => log.debug({ err }, 'aptos stream closed'))
      call.cancel()
      client.close()
    }
  }

  /** The first message with transactions; undefined if the server has none now. */
  async function peek(
    requested: Request,
    signal: AbortSignal,
    waitMs = Math.min(probeMs, silenceMs),
  ): Promise<Sent | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        for await (const sent of messages(requested, sentOf, waitMs, signal)) return sent
        return undefined
      } catch (error) {
        if (error instanceof AptosUnresponsiveError || error instanceof AptosAnswerError) return undefined
        if (error instanceof AptosAbsentError) return undefined
        if (!(error instanceof AptosUnavailableError) || attempt >= maxPeeks) throw error
      }
    }
  }

  const peekAt = (version: bigint, signal: AbortSignal, waitMs?: number) =>
    peek({ startingVersion: version, transactionsCount: 1n }, signal, waitMs)

  /**
   * An empty batch at `next`: the server answers on another connection, and its head is not below the last version read. Otherwise throws
   * AptosUnresponsiveError.
   */
  async function afterSilence(next: bigint, signal: AbortSignal): Promise<AptosBatch> {
    const newest = await peek({}, signal, probeMs)
    const before = next - 1n
    const isFar = newest !== undefined && newest.last >= before
    const last = isFar || before < 0n ? newest : await peekAt(before, signal, probeMs)
    if (!last) {
      const why = newest
        ? `and its head is ${newest.last}, below version ${before} that was read`
        : 'and does not answer again'
      throw new AptosUnresponsiveError(`${target} sent nothing for ${silenceMs} ms, ${why}`)
    }
    return { chainId: last.chainId, from: next, to: next - 1n, head: last.last, transactions: [] }
  }

  /**
   * The error for a version that the server lacks: past the head it may still come, below it is pruned. Of several servers behind one address some
   * may lag. So a server's own report that a version is past its head counts, whatever another server returned.
   */
  function absence(error: AptosAbsentError, version: bigint): Error {
    if (error.isPastHead || version > larger(found, highest)) return error
    return new AptosPrunedError(`${error.message}: it does not keep version ${version}`, { cause: error })
  }

  return {
    rangeWidth: 50_000n,
    probesHead: true,
    has: async (version, signal) => (await peekAt(version, signal))?.first === version,

    async ledger(signal): Promise<AptosLedger> {
      // Newer services begin at their head if the request has no version; older ones reject it, or begin at 0.
      const newest = await peek({}, signal)
      const there = newest ?? (found > highest ? await peekAt(found, signal) : undefined)
      const known = there ?? (await peekAt(larger(highest, firstVersion), signal))
      if (!known) throw new AptosUnavailableError(`${target} returns no transactions`)
      const from = larger(known.last, highest)
      found = await findHead(from, async (version) => (await peekAt(version, signal))?.first === version)
      return { chainId: known.chainId, head: found, oldest: undefined }
    },

    async *read({ from, to }, signal): AsyncGenerator<AptosBatch> {
      let next = from
      /** Consecutive silences after which the server reported a head above what the stream sent. */
      let withheld = 0
      while (to === undefined || next <= to)
        try {
          const requested = { startingVersion: next, ...(to !== undefined && { transactionsCount: to - next + 1n }) }
          for await (const batch of messages(
            requested,
            (message) => versionsFrom(message, next, to),
            silenceMs,
            signal,
          )) {
            next = batch.to + 1n
            withheld = 0
            if (batch.to > highest) highest = batch.to
            yield { ...batch, head: highest }
            if (to !== undefined && next > to) return
          }
          // Services close a stream where their archive ends, so an early end shows nothing about the chain.
          throw new AptosUnavailableError(`${target} ended the stream at version ${next}`)
        } catch (error) {
          if (error instanceof AptosAbsentError) throw absence(error, next)
          if (!(error instanceof AptosUnresponsiveError) || to !== undefined) throw error
          const batch = await afterSilence(next, signal)
          withheld = batch.head < next ? 0 : withheld + 1
          if (withheld > 1)
            throw new AptosUnresponsiveError(
              `${target} sent nothing for ${silenceMs} ms, though its head is ${batch.head}`,
            )
          yield batch
        }
    },

    // Every stream closes its own connection.
    async close() {},
  }
}

function texts(request: Request): Record<string, string> {
  return Object.fromEntries(Object.entries(request).map(([name, value]) => [name, String(value)]))
}

/** Host and port of a stream's address. `secure`: TLS, for https:// and for port 443; any other port without a scheme is without TLS. */
function parseGrpcAddress(address: string): { target: string; secure: boolean } {
  const match = /^(?:(https?):\/\/)?(.*?)\/?$/.exec(address)!
  const [, scheme, rest = ''] = match
  const port = /:(\d+)$/.exec(rest)?.[1]
  const secure = scheme === undefined ? port === undefined || port === '443' : scheme === 'https'
  return { target: port === undefined ? `${rest}:${secure ? 443 : 80}` : rest, secure }
}

/** The error for the end of a stream, by its gRPC status. `mask` hides the token in the server's message, which may repeat it. */
export function grpcError(target: string, error: unknown, mask: Mask): AptosError {
  const { code, details, message } = error as Partial<ServiceError>
  const text = `${target}: ${mask(details || message || 'the stream broke')}`
  const options = { cause: error }
  switch (code) {
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
    case status.UNIMPLEMENTED:
      return new AptosRejectedError(text, options)
    case status.RESOURCE_EXHAUSTED:
      return new AptosRateLimitedError(text, { ...options, retryAfterMs: undefined })
    case status.OUT_OF_RANGE:
    case status.NOT_FOUND:
    case status.INVALID_ARGUMENT:
      return new AptosAbsentError(text, { ...options, isPastHead: false })
    // A data service rejects a version far past its head with this status, and a pruned one with NOT_FOUND.
    case status.FAILED_PRECONDITION:
      return new AptosAbsentError(text, { ...options, isPastHead: true })
    default:
      return new AptosUnavailableError(text, options)
  }
}
