import { hash } from 'node:crypto'
import { seededRandom } from './seededRandom.ts'

/** A made-up collection and the chain that holds it. */
export type ChainShape = {
  seed: number
  /** Transfer logs in all. */
  logs: number
  /** Blocks over which they are spread at random; the first one deploys the contract. */
  blocks: number
  /** Part of the logs that mint; the others move what exists. */
  mintShare: number
  /** Addresses that hold tokens. */
  holders: number
  /** Number of ids of an ERC-1155, which are minted again once all exist; omitted: an ERC-721. */
  ids?: number
}

export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const transferSingleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
export const firstBlock = 12_000_000

export type SyntheticLogs = {
  address: string
  /** Tokens, or ids, that were minted. */
  tokens: number
  /** The only event that the contract emits. */
  topic: string
  /** Logs of the blocks `from`…`to`, as their numbers from `first` to before `end`. */
  between(from: number, to: number): { first: number; end: number }
  /** JSON texts of some logs, parted by commas: a view, no copy. */
  text(first: number, end: number): Buffer
  parse(index: number): { topics: string[]; transactionHash: string; logIndex: string; transactionIndex: string }
}

/** The hash of a block, which ends with the block's number. */
export function blockHash(number: number): string {
  return `0x${'b10c5eed'.repeat(6)}${number.toString(16).padStart(16, '0')}`
}

/** Renders every log once, so that answering a range costs a copy into the socket. */
export function createSyntheticLogs(shape: ChainShape): SyntheticLogs {
  const random = seededRandom(shape.seed)
  const digest = (name: string, index: number) => hash('sha256', `${shape.seed} ${name} ${index}`)
  const address = `0x${digest('contract', 0).slice(0, 40)}`
  const multiple = shape.ids !== undefined
  const topic = multiple ? transferSingleTopic : transferTopic
  const holders = Array.from({ length: shape.holders }, (_, i) => addressWord(digest('holder', i).slice(0, 40)))
  const blocks = Uint32Array.from({ length: shape.logs }, () => firstBlock + Math.floor(random() * shape.blocks)).sort()
  const movements = createMovements(shape, random)
  const offsets = new Float64Array(shape.logs + 1)
  const all = Buffer.allocUnsafe(shape.logs * 900)
  let written = 0
  let inBlock = 0
  for (let i = 0; i < shape.logs; i++) {
    const block = blocks[i]!
    inBlock = block === blocks[i - 1] ? inBlock + 1 : 0
    const { from, to, token, amount } = movements.next()
    const parties = `"0x${from === undefined ? nobody : holders[from]}","0x${holders[to]}"`
    const event = multiple
      ? `"topics":["${topic}","0x${holders[to]}",${parties}],"data":"0x${word(token)}${word(amount)}"`
      : `"topics":["${topic}",${parties},"0x${word(token)}"],"data":"0x"`
    // The transactions before them have no logs: log indexes without gaps, as receipts have them.
    const place = (block % 97) + inBlock
    offsets[i] = written
    written += all.write(
      `{"address":"${address}",${event},"blockNumber":"0x${block.toString(16)}","transactionHash":"0x${digest('transaction', i)}","transactionIndex":"0x${place.toString(16)}","blockHash":"${blockHash(block)}","logIndex":"0x${inBlock.toString(16)}","removed":false},`,
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
    tokens: movements.tokens(),
    topic,
    between: (from, to) => ({ first: firstAtOrAfter(from), end: firstAtOrAfter(to + 1) }),
    text,
    parse: (index) => JSON.parse(text(index, index + 1).toString('latin1')),
  }
}

const nobody = '0'.repeat(64)
const word = (value: number) => value.toString(16).padStart(64, '0')
const addressWord = (digits: string) => digits.padStart(64, '0')

/** `from` and `to` are numbers of holders; without `from` it is a mint. */
type Movement = { from: number | undefined; to: number; token: number; amount: number }

/** Random movements that a contract would allow: holders move only what they hold, and nothing is burned. */
function createMovements(shape: ChainShape, random: () => number) {
  const pick = (count: number) => Math.floor(random() * count)
  /** What holders have: the token, the holder's number and the amount; a lot is split when a part of it moves. */
  const lots: { token: number; holder: number; amount: number }[] = []
  let mints = 0
  return {
    tokens: () => Math.min(mints, shape.ids ?? mints),
    next(): Movement {
      const to = pick(shape.holders)
      if (lots.length === 0 || random() < shape.mintShare) {
        const token = shape.ids !== undefined && mints >= shape.ids ? pick(shape.ids) : mints
        const amount = shape.ids === undefined ? 1 : 1 + pick(100)
        lots.push({ token, holder: to, amount })
        mints++
        return { from: undefined, to, token, amount }
      }
      const lot = lots[pick(lots.length)]!
      const { token, holder: from } = lot
      const amount = lot.amount === 1 ? 1 : 1 + pick(lot.amount)
      if (amount === lot.amount) lot.holder = to
      else {
        lot.amount -= amount
        lots.push({ token, holder: to, amount })
      }
      return { from, to, token, amount }
    },
  }
}
