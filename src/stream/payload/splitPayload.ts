import type { InternalTransfer, RpcLog, RpcReceipt, RpcTransaction } from '../../chain/evm/rpc/rpc.ts'
import type { Address } from '../../util/hex.ts'
import { balanceAddresses } from './nativeBalances.ts'
import { bodyLists, type PayloadFacts, type WebhookPayload } from './payloadFacts.ts'
import { internalRecord, logRecord, transactionRecord } from './records.ts'
import { type TokenLists, tokenLists } from './tokenLists.ts'

type Facts = Omit<PayloadFacts, 'balances'>

type List = (typeof bodyLists)[number] | 'ERC721' | 'ERC1155' | 'nativeBalances'

/** The unit of splitting: a log with its token records, a transaction, or an internal transaction. */
type Item = {
  kind: 'logs' | 'txs' | 'txsInternal'
  /** Records as JSON, by list. */
  records: Partial<Record<List, string[]>>
  bytes: number
  /** Addresses whose balances the stream requests with it. */
  addresses: readonly Address[]
}

const noLists = tokenLists([], new Map())

/** Unique addresses whose balances a stream requests with a match. */
export function wantedBalances(facts: Facts): Address[] {
  if (facts.own.stream.definition.getNativeBalances.length === 0) return []
  const found = new Set<Address>()
  // Item by item, as the lists of a block may be much larger than the set of their addresses.
  for (const group of groupsOf(facts))
    for (const { addresses } of group) for (const address of addresses) found.add(address)
  return [...found]
}

/**
 * Splits a webhook into parts of at most `maxBytes`, as few as the order allows. Logs are in order, with their token
 * records; each transaction precedes its first log; internal transactions come last. Every part has the balances of its
 * own addresses. An oversized item gets its own part. The same input always gives the same parts.
 */
export function splitPayload(facts: PayloadFacts, maxBytes: number): WebhookPayload[] {
  const { head, balances } = facts
  const headBytes = Buffer.byteLength(head) + Buffer.byteLength(bodyOf('', new Map()))
  // If the head alone is near or above the limit, each part still takes many records, as each repeats the head.
  const capacity = Math.max(maxBytes - headBytes, maxBytes / 4)
  const parts: WebhookPayload[] = []
  let part = createPart(balances)

  function flush(): void {
    if (part.size() === 0) return
    parts.push({ body: bodyOf(head, part.records), counts: part.counts })
    part = createPart(balances)
  }

  for (const group of groupsOf(facts)) {
    const together = part.bytesWith(group)
    if (together > capacity && createPart(balances).bytesWith(group) <= capacity) flush()
    for (const item of group) {
      if (part.bytesWith([item]) > capacity) flush()
      part.add(item)
    }
  }
  flush()
  return parts
}

/** The items in sending order. A transaction and its first log form a group, which stays in one part if it fits. */
function* groupsOf(facts: Facts): Generator<Item[]> {
  const { own, transactions } = facts
  const places = new Map(transactions.map(([{ hash }], place) => [hash, place]))
  let next = 0
  for (const log of own.logs) {
    const place = places.get(log.transactionHash) ?? -1
    for (; next < place; next++) yield [transactionItem(facts, transactions[next]!)]
    const item = logItem(facts, log)
    yield next === place ? [transactionItem(facts, transactions[next++]!), item] : [item]
  }
  for (; next < transactions.length; next++) yield [transactionItem(facts, transactions[next]!)]
  for (const transfer of own.internalTransfers) yield [internalItem(facts, transfer)]
}

const nothing = { logs: [], internalTransfers: [] }
const ofLog = (log: RpcLog) => ({ ...nothing, logs: [log] })
const ofTransfer = (transfer: InternalTransfer) => ({ ...nothing, internalTransfers: [transfer] })

function logItem({ own, tokens }: Facts, log: RpcLog): Item {
  const found = tokenLists([log], tokens)
  const { nftApprovals, ...rest } = found
  const wanted = own.stream.definition.getNativeBalances
  return itemOf(
    'logs',
    { logs: [logRecord(log)], ...rest, ...nftApprovals },
    balanceAddresses(wanted, ofLog(log), [], found),
  )
}

function transactionItem({ own }: Facts, transaction: readonly [RpcTransaction, RpcReceipt]): Item {
  const wanted = own.stream.definition.getNativeBalances
  const addresses = balanceAddresses(wanted, nothing, [transaction], noLists)
  return itemOf('txs', { txs: [transactionRecord(transaction[0], transaction[1])] }, addresses)
}

function internalItem({ own }: Facts, transfer: InternalTransfer): Item {
  const wanted = own.stream.definition.getNativeBalances
  const addresses = balanceAddresses(wanted, ofTransfer(transfer), [], noLists)
  return itemOf('txsInternal', { txsInternal: [internalRecord(transfer)] }, addresses)
}

type Given = Partial<Record<List, readonly object[]>> & Partial<Omit<TokenLists, 'nftApprovals'>>

function itemOf(kind: Item['kind'], given: Given, addresses: readonly Address[]): Item {
  const records: Item['records'] = {}
  let bytes = 0
  for (const [list, values] of Object.entries(given) as [List, readonly object[]][]) {
    if (values.length === 0) continue
    const texts = values.map((value) => JSON.stringify(value))
    records[list] = texts
    // Each text is preceded by a comma.
    for (const text of texts) bytes += Buffer.byteLength(text) + 1
  }
  return { kind, records, bytes, addresses }
}

function createPart(balances: PayloadFacts['balances']) {
  const records = new Map<List, string[]>()
  const counts = { logs: 0, txs: 0, txsInternal: 0 }
  const known = new Set<Address>()
  /** Bytes of the records, each with a comma. The first of each list has none, which `bytesWith` subtracts. */
  let bytes = 0
  const balanceOf = (address: Address) => JSON.stringify({ address, balance: String(balances.get(address)) })

  function push(list: List, texts: readonly string[]): void {
    const own = records.get(list)
    if (own) for (const text of texts) own.push(text)
    else records.set(list, [...texts])
  }

  return {
    records,
    counts,
    size: () => counts.logs + counts.txs + counts.txsInternal,
    bytesWith(items: readonly Item[]): number {
      let sum = bytes
      const used = new Set(records.keys())
      for (const { records: own, bytes: added, addresses } of items) {
        sum += added
        for (const list of Object.keys(own) as List[]) used.add(list)
        for (const address of addresses) {
          if (known.has(address)) continue
          sum += balanceOf(address).length + 1
          used.add('nativeBalances')
        }
      }
      return sum - used.size
    },
    add(item: Item): void {
      counts[item.kind] += 1
      bytes += item.bytes
      for (const [list, texts] of Object.entries(item.records) as [List, string[]][]) push(list, texts)
      for (const address of item.addresses)
        if (!known.has(address)) {
          const text = balanceOf(address)
          known.add(address)
          bytes += text.length + 1
          push('nativeBalances', [text])
        }
    },
  }
}

function bodyOf(head: string, records: ReadonlyMap<List, readonly string[]>): string {
  const list = (name: List) => `"${name}":[${records.get(name)?.join(',') ?? ''}]`
  return `${head},${bodyLists.map(list).join(',')},"nftApprovals":{${list('ERC721')},${list('ERC1155')}},${list('nativeBalances')}}`
}
