import { hash } from 'node:crypto'
import { seededRandom } from './seededRandom.ts'

/** A made-up ERC-721 collection and the chain that holds it. */
export type ChainShape = {
  seed: number
  /** Transfer logs in all. */
  logs: number
  /** Blocks over which they are spread at random; the first one deploys the contract. */
  blocks: number
  /** Part of the logs that mint the next token; the others move one that exists. */
  mintShare: number
  /** Addresses that hold tokens. */
  holders: number
}

export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const firstBlock = 12_000_000

export type SyntheticLogs = {
  address: string
  /** Tokens minted. */
  tokens: number
  /** Logs of the blocks `from`…`to`, as their numbers from `first` to before `end`. */
  between(from: number, to: number): { first: number; end: number }
  /** JSON texts of some logs, parted by commas: a view, no copy. */
  text(first: number, end: number): Buffer
  parse(index: number): { topics: string[]; transactionHash: string; logIndex: string; transactionIndex: string }
}

/** Hash of a block: what it is the hash of is written in its last digits. */
export function blockHash(number: number): string {
  return `0x${'b10c5eed'.repeat(6)}${number.toString(16).padStart(16, '0')}`
}

/** Renders every log once, so that answering a range costs a copy into the socket. */
export function createSyntheticLogs(shape: ChainShape): SyntheticLogs {
  const random = seededRandom(shape.seed)
  const digest = (name: string, index: number) => hash('sha256', `${shape.seed} ${name} ${index}`)
  const address = `0x${digest('contract', 0).slice(0, 40)}`
  const holders = Array.from({ length: shape.holders }, (_, i) => digest('holder', i).slice(0, 40))
  const blocks = Uint32Array.from({ length: shape.logs }, () => firstBlock + Math.floor(random() * shape.blocks)).sort()
  const owners: number[] = []
  const offsets = new Float64Array(shape.logs + 1)
  const all = Buffer.allocUnsafe(shape.logs * 800)
  let written = 0
  let inBlock = 0
  for (let i = 0; i < shape.logs; i++) {
    const block = blocks[i]!
    inBlock = block === blocks[i - 1] ? inBlock + 1 : 0
    const to = Math.floor(random() * holders.length)
    const mint = owners.length === 0 || random() < shape.mintShare
    const token = mint ? owners.length : Math.floor(random() * owners.length)
    const from = mint ? '0'.repeat(40) : holders[owners[token]!]!
    owners[token] = to
    const place = (block % 97) + inBlock
    offsets[i] = written
    written += all.write(
      `{"address":"${address}","topics":["${transferTopic}","0x${from.padStart(64, '0')}","0x${holders[to]!.padStart(64, '0')}","0x${token.toString(16).padStart(64, '0')}"],"data":"0x","blockNumber":"0x${block.toString(16)}","transactionHash":"0x${digest('transaction', i)}","transactionIndex":"0x${place.toString(16)}","blockHash":"${blockHash(block)}","logIndex":"0x${(place * 2).toString(16)}","removed":false},`,
      written,
      'latin1',
    )
  }
  offsets[shape.logs] = written
  const firstAtOrAfter = (block: number) => {
    let low = 0
    let high = blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (blocks[middle]! < block) low = middle + 1
      else high = middle
    }
    return low
  }
  const text = (first: number, end: number) =>
    first === end ? Buffer.alloc(0) : all.subarray(offsets[first], offsets[end]! - 1)
  return {
    address,
    tokens: owners.length,
    between: (from, to) => ({ first: firstAtOrAfter(from), end: firstAtOrAfter(to + 1) }),
    text,
    parse: (index) => JSON.parse(text(index, index + 1).toString('latin1')),
  }
}
