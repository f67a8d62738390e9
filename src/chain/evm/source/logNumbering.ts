import { chunksOf } from '../../../util/chunksOf.ts'
import { MintmarkError } from '../../../util/errors.ts'
import type { Address, Hex } from '../../../util/hex.ts'
import type { Log } from '../../../util/log.ts'
import type { EvmChain } from '../chains.ts'
import type { Header, RpcLog } from '../rpc/rpc.ts'
import { isOfAddress, matchesTopics } from './readLogs.ts'
import { byPlace, contentOf, joinLogs } from './sameLogs.ts'
import type { BlockSettler } from './settleBlock.ts'
import type { EvmSource, Topics } from './source.ts'
import { BlockUnsettledError, InconsistentResponseError } from './sourceError.ts'

/** Logs of some of a chain's contracts, whose log indexes may be wrong. */
export type PartialLogs = {
  logs: RpcLog[]
  /** The endpoint that returned the logs of a block; undefined if their indexes already come from the whole block. */
  endpointOf(block: number): string | undefined
  /** The request; address omitted: any. */
  requested: { address?: Address; topics: Topics }
  /** Blocks whose log indexes are wrong by the answer itself. */
  misnumbered: ReadonlySet<number>
  /** The known headers of the blocks. */
  headers?: readonly Header[]
}

/**
 * Sets each log's index to its position among all logs of its block if the node counts otherwise. An answer for one contract has only some logs of a
 * block, so the whole block is read. Then a log has the same index whatever was requested.
 */
export type LogNumbering = {
  /** Whether log indexes from an endpoint are trusted, except those of misnumbered blocks. */
  trusts(endpoint: string): boolean
  /** Whether any endpoint is trusted. */
  trustsSome(): boolean
  settle(part: PartialLogs, signal?: AbortSignal): Promise<RpcLog[]>
  /** A whole block showed that the endpoint's log indexes are not those of the block. */
  misnumbers(block: number, endpoint: string): void
}

export type LogNumberingOptions = {
  settler: BlockSettler
  headersOf: EvmSource['headersOf']
  chain: Pick<EvmChain, 'name'>
  log: Log
}

/** Consecutive blocks with right indexes after which no more are checked. */
const enoughRight = 8

/** Most useless checks: of blocks with logs of only one transaction, which do not show how the node counts. */
const mostLooks = 16

/** Blocks read at once. */
const atOnce = 8

type WholeBlocks = {
  headers: readonly Header[] | undefined
  mustSettle: boolean
  endpointOf?: PartialLogs['endpointOf']
}

/** Known facts about how an endpoint counts. */
type Counting = {
  endpoint: string
  /** Right blocks still needed before its indexes are trusted: one at first. */
  wanted: number
  looks: number
  /** It once counted otherwise than the block. */
  isOther: boolean
}

export function createLogNumbering({ settler, headersOf, chain, log }: LogNumberingOptions): LogNumbering {
  const countings = new Map<string, Counting>()

  function countingOf(endpoint: string): Counting {
    const known = countings.get(endpoint)
    if (known) return known
    const counting = { endpoint, wanted: 1, looks: mostLooks, isOther: false }
    countings.set(endpoint, counting)
    return counting
  }

  // An endpoint that once counted otherwise is not trusted for blocks that show nothing.
  const trusts = ({ wanted, looks, isOther }: Counting) => wanted === 0 || (looks <= 0 && !isOther)

  function note(counting: Counting, isRight: boolean, block: number): void {
    counting.wanted = isRight ? Math.max(0, counting.wanted - 1) : enoughRight
    if (isRight || counting.isOther) return
    counting.isOther = true
    log.warn(
      { chain: chain.name, endpoint: counting.endpoint, block },
      'rpc endpoint numbers logs differently: reading whole blocks',
    )
  }

  /** The requested logs of a whole block: two equal logs of a misnumbered answer may have been returned as one. */
  function takenFrom(whole: readonly RpcLog[], requested: PartialLogs['requested']) {
    return whole.filter((entry) => isOfAddress(entry, requested) && matchesTopics(entry, requested.topics))
  }

  /** The logs with their indexes in the whole block. Records whether the node's are the same. */
  function renumber(whole: readonly RpcLog[], logs: readonly RpcLog[], counting: Counting): RpcLog[] {
    const numbers = new Map<string, Hex[]>()
    for (const entry of whole) {
      const content = contentOf(entry)
      const known = numbers.get(content)
      if (known) known.push(entry.logIndex)
      else numbers.set(content, [entry.logIndex])
    }
    const first = whole[0]?.transactionHash
    let isRight = true
    let shows = false
    const found: RpcLog[] = []
    const beside: RpcLog[] = []
    for (const entry of logs) {
      const number = numbers.get(contentOf(entry))?.shift()
      if (number === undefined) {
        beside.push(entry)
        continue
      }
      found.push(entry)
      if (number !== entry.logIndex) isRight = false
      if (entry.transactionHash !== first) shows = true
      entry.logIndex = number
    }
    if (shows || !isRight) note(counting, isRight, Number(logs[0]!.blockNumber))
    else counting.looks--
    return joinLogs(found, beside)
  }

  /**
   * Whole blocks, in the order of `blocks`. `endpointOf`: the endpoint whose logs of a block may be of another block; those that the block lacks need a
   * second endpoint. `mustSettle`: transient errors are thrown; otherwise every error returns undefined.
   */
  async function wholeBlocks(
    blocks: readonly RpcLog[][],
    { headers: known, mustSettle, endpointOf }: WholeBlocks,
    signal?: AbortSignal,
  ): Promise<RpcLog[][] | undefined> {
    try {
      const named = blocks.map(([entry]) => ({ number: BigInt(entry!.blockNumber), hash: entry!.blockHash }))
      const headers = known ?? (await headersOf(named, signal))
      return await Promise.all(
        headers.map((header, i) => {
          const endpoint = endpointOf?.(Number(header.number))
          const given = endpoint !== undefined && { given: { logs: blocks[i]!, endpoint } }
          return settler.settle(header, [], { ...given }, signal)
        }),
      )
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof MintmarkError)) throw error
      // Indexes by the order of the answer are better than a chain that stalls.
      const lasts = error instanceof BlockUnsettledError && !isPassing(error.cause)
      if (mustSettle && !lasts) throw error
      log.debug({ chain: chain.name, err: error }, 'whole block not read: log indexes kept')
      return undefined
    }
  }

  return {
    trusts: (endpoint) => trusts(countingOf(endpoint)),
    trustsSome: () => [...countings.values()].some(trusts),
    misnumbers: (block, endpoint) => note(countingOf(endpoint), false, block),
    async settle({ logs, endpointOf, requested, misnumbered, headers }, signal) {
      const blocks = blocksOf(logs)
      const wrong = [...misnumbered].filter((block) => blocks.has(block))
      for (const some of chunksOf(wrong, atOnce)) {
        const wholes = await wholeBlocks(
          some.map((block) => blocks.get(block)!),
          { headers, mustSettle: true, endpointOf },
          signal,
        )
        for (const [i, block] of some.entries()) {
          const endpoint = endpointOf(block)
          if (endpoint !== undefined) note(countingOf(endpoint), false, block)
          if (wholes) blocks.set(block, takenFrom(wholes[i]!, requested))
        }
      }
      let isOther = wrong.length > 0
      for (const [counting, answered] of byCounting(blocks.keys())) {
        const unsure = answered.filter((block) => !misnumbered.has(block))
        await look(counting, unsure)
        isOther ||= counting.isOther
      }
      return isOther ? [...blocks.values()].flat().sort(byPlace) : logs

      function byCounting(answered: Iterable<number>): Map<Counting, number[]> {
        const found = new Map<Counting, number[]>()
        for (const block of answered) {
          const endpoint = endpointOf(block)
          if (endpoint === undefined) continue
          const counting = countingOf(endpoint)
          const own = found.get(counting)
          if (own) own.push(block)
          else found.set(counting, [block])
        }
        return found
      }

      /** Reads whole blocks until the endpoint is trusted, and sets the indexes of their logs from these. */
      async function look(counting: Counting, answered: readonly number[]): Promise<void> {
        // Logs of the first transaction have the same indexes in most ways of counting, so they would show nothing.
        const isInconsistent = (block: number) =>
          counting.isOther || blocks.get(block)!.some(({ transactionIndex }) => Number(transactionIndex) !== 0)
        const looked = new Set<number>()
        while (!trusts(counting)) {
          // Searched from the first block on: once an endpoint counts otherwise, skipped blocks are inconsistent too.
          const some: number[] = []
          for (const block of answered) {
            if (some.length === Math.min(atOnce, counting.wanted)) break
            if (!looked.has(block) && isInconsistent(block)) some.push(block)
          }
          if (some.length === 0) return
          for (const block of some) looked.add(block)
          const own = some.map((block) => blocks.get(block)!)
          const wholes = await wholeBlocks(own, { headers, mustSettle: counting.isOther }, signal)
          if (!wholes) counting.looks--
          else for (const [i, block] of some.entries()) blocks.set(block, renumber(wholes[i]!, own[i]!, counting))
        }
      }
    },
  }
}

function blocksOf(logs: readonly RpcLog[]): Map<number, RpcLog[]> {
  const blocks = new Map<number, RpcLog[]>()
  for (const entry of logs) {
    const block = Number(entry.blockNumber)
    const own = blocks.get(block)
    if (own) own.push(entry)
    else blocks.set(block, [entry])
  }
  return blocks
}

function isPassing(fault: unknown): boolean {
  return fault instanceof InconsistentResponseError || (fault instanceof MintmarkError && fault.outage !== undefined)
}
