import type { ByteBudget } from '../../util/byteBudget.ts'
import type { Log } from '../../util/log.ts'
import { sleep } from '../../util/wait.ts'
import { AptosAnswerError, AptosError, AptosHeadError, AptosPrunedError } from './aptosError.ts'
import { parseLedger, parseTransactions, readDigits } from './parseRest.ts'
import { createRestClient, type RestAnswer, RestStatusError } from './restClient.ts'
import type { AptosBatch, AptosSource, WantedChanges } from './source.ts'

export type RestSourceOptions = {
  /** The API's root URL, with its version: https://node.example/v1. */
  base: string
  token: string | undefined
  wanted: WantedChanges
  /** Interval between requests for the head once it is reached, in milliseconds. */
  pollIntervalMs: number
  timeoutMs: number
  /** Byte budget of all node responses in progress in this process; omitted: only each response is limited. */
  budget?: ByteBudget
  log: Log
}

/** Most transactions in one response of a node; it reduces a larger limit without an error. */
const pageSize = 100

/** Attempts to request the head before an error is thrown. */
const maxAttempts = 6

/**
 * Consecutive attempts to read a version below the head before an error is thrown. Some of several nodes behind one address may lag, and any of them
 * answers. If every second one lags, 20 misses in a row have a chance of one in a million.
 */
const maxMisses = 20

/** The REST API of a fullnode, read in pages. */
export function createRestSource(options: RestSourceOptions): AptosSource {
  const { wanted, pollIntervalMs, log } = options
  const { host } = new URL(options.base)
  const client = createRestClient(options)

  /** The ledger, with retries: at the head the node is polled constantly, and one failure must not end the reading. */
  async function patientLedger(signal: AbortSignal) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ledger(signal)
      } catch (error) {
        if (!(error instanceof AptosError) || !error.retryable || attempt >= maxAttempts) throw error
        log.debug({ endpoint: host, err: error, attempt }, 'aptos head re-requested')
        await sleep(pollIntervalMs, signal)
      }
    }
  }

  async function ledger(signal: AbortSignal) {
    return parseLedger((await client.get('', signal)).body)
  }

  /**
   * A page of transactions, or the reason why the node does not have version `from` yet, as one of several nodes may lag. Only that rejection counts:
   * the next answer may come from another node.
   */
  async function page(from: bigint, to: bigint | undefined, signal: AbortSignal): Promise<AptosBatch | string> {
    const limit = to === undefined || to - from + 1n > BigInt(pageSize) ? pageSize : Number(to - from + 1n)
    let answer: RestAnswer
    try {
      answer = await client.get(`/transactions?start=${from}&limit=${limit}`, signal)
    } catch (error) {
      if (!(error instanceof RestStatusError)) throw error
      if (error.status === 400 && (error.head === undefined || error.head < from)) return error.message
      const { oldest } = await ledger(signal)
      if (from < oldest)
        throw new AptosPrunedError(`${host} keeps versions from ${oldest} on only, and ${from} is requested`, {
          cause: error,
          details: { oldest: String(oldest) },
        })
      if (error.status === 410 || error.errorCode === 'version_pruned')
        throw new AptosPrunedError(`${host} does not keep version ${from} any more`, { cause: error })
      throw error
    }
    const { to: last, transactions } = parseTransactions(answer.body, from, wanted)
    if (last < from) return `${host} returns no version ${from}`
    if (to !== undefined && last > to)
      throw new AptosAnswerError(`${last} came where versions up to ${to} were requested`)
    const chainId = readDigits(answer.headers['x-aptos-chain-id'])
    const head = readDigits(answer.headers['x-aptos-ledger-version'])
    // A proxy may drop the headers; the API's root returns the same values.
    const reported =
      chainId === undefined || head === undefined ? await ledger(signal) : { chainId: Number(chainId), head }
    return {
      chainId: reported.chainId,
      from,
      to: last,
      head: reported.head > last ? reported.head : last,
      transactions,
    }
  }

  return {
    rangeWidth: 2_000n,
    ledger,
    probesHead: false,
    has: async (version, signal) => (await ledger(signal)).head >= version,

    async *read({ from, to }, signal) {
      let head = -1n
      let missed = 0
      for (let next = from; to === undefined || next <= to; ) {
        // A node rejects versions past its head, so the head is requested first.
        const reported = next > head ? await patientLedger(signal) : undefined
        if (reported) head = reported.head
        const given = next > head ? undefined : await page(next, to, signal)
        const batch = typeof given === 'string' ? undefined : given
        if (reported && !batch && to === undefined)
          yield { chainId: reported.chainId, from: next, to: next - 1n, head, transactions: [] }
        if (batch) {
          head = batch.head
          next = batch.to + 1n
          missed = 0
          yield batch
        } else {
          // Past the head nothing is missing. A range with an end is requested only below a reported head.
          missed = given === undefined && to === undefined ? 0 : missed + 1
          if (missed >= maxMisses)
            throw new AptosHeadError(
              `${host} does not have version ${next}, though its head was said to be beyond${given === undefined ? '' : `: ${given}`}`,
            )
          head = -1n
          await sleep(pollIntervalMs, signal)
        }
        signal.throwIfAborted()
      }
    },

    close: client.close,
  }
}
