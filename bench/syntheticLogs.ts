import { hash } from 'node:crypto'
import { seededRandom } from './seededRandom.ts'

/** A synthetic collection and its chain. */
export type ChainShape = {
  seed: number
  /** Number of transfer logs. */
  logs: number
  /** Number of blocks with the logs, which are spread at random. The first block deploys the contract. */
  blocks: number
  /** Share of logs that mint. The others move existing tokens. */
  mintShare: number
  /** Number of addresses that hold tokens. */
  holders: number
  /** Number of ids of an ERC-1155. Once all exist, they are minted again. Omitted: an ERC-721. */
  ids?: number
}

export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const transferSingleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
export const firstBlock = 12_000_000

export type SyntheticLogs = {
  address: string
  /** Number of minted tokens or ids. */
  tokens: number
  /** The only event that the contract emits. */
  topic: string
  /** Indexes of the logs in the blocks `from`…`to`: from `first` to before `end`. */
  between(from: number, to: number): { first: number; end: number }
  /** JSON texts of logs, separated by commas. It is a view, not a copy. */
  text(first: number, end: number): Buffer
  parse(index: number): { topics: string[]; transactionHash: string; logIndex: string; transactionIndex: string }
}

/** The hash of a block, which ends with the block's number. */
export function blockHash(number: number): string {
  return `0x${'b10c5eed'.repeat(6)}${number.toString(16).padStart(16, '0')}`
}

/** Renders every log once. Responding to a range then only copies it into the socket. */
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
    // Earlier transactions of the block have no logs, so log indexes have no gaps, as in receipts.
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

/** `from` and `to` are numbers of holders. A mint has no `from`. */
type Movement = { from: number | undefined; to: number; token: number; amount: number }

/** Makes random valid movements: holders move only tokens that they have, and nothing is burned. */
function createMovements(shape: ChainShape, random: () => number) {
  const pick = (count: number) => Math.floor(random() * count)
  /** Holdings: the token, the holder's number and the amount. Moving a part of a lot splits it. */
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
