import type { Address, Hex } from '../../src/util/hex.ts'
import { createRandom } from '../../test/random.ts'
import { createScriptedNode, type ScriptedBlock } from '../../test/scriptedNode.ts'
import type { WorldContract } from './contracts.ts'
import { drawActivity } from './drawActivity.ts'
import { applyMove, type Move, type Ownership } from './ownership.ts'

/** Blocks this far below the head are final. */
export const finalityDepth = 14

/** Number of cached states of recently requested blocks. */
const mostRecent = 80

/** A block of any past or current fork, with its moves. */
export type WorldBlock = ScriptedBlock & { moves: readonly Move[] }

/** The chain of the world: its current blocks, and every block that it ever had. */
export type WorldChain = {
  contracts: readonly WorldContract[]
  /** The current blocks, beginning with block 0. */
  blocks: readonly WorldBlock[]
  finalized(): number
  head(): WorldBlock
  add(): void
  /** Replaces the last `depth` blocks by other ones and adds one more. */
  reorganise(depth: number): void
  /** Restores the blocks that the last reorganisation removed and adds one more; false if they no longer fit onto the chain. */
  flip(): boolean
  byHash(hash: string): WorldBlock | undefined
  /** The highest block number so far. */
  newest(): number
  /** Blocks with this number on all forks. */
  candidates(number: number): WorldBlock[]
  /** The blocks from block 0 to this one. */
  ancestry(block: WorldBlock): WorldBlock[]
  /** The state at the end of a block on any fork. Callers must not change it. */
  ownershipAt(block: WorldBlock): Ownership
}

/** The seed and the number of the block decide each block, so that a run without one action draws the same other blocks. */
export function createWorldChain(seed: number, contracts: readonly WorldContract[]): WorldChain {
  const node = createScriptedNode({ blocks: 1 })
  const byHash = new Map<string, WorldBlock>()
  const byNumber = new Map<number, WorldBlock[]>()
  /** Cached states: every hundredth final block, which makes the way to a later block short, and recently requested blocks. */
  const states = new Map<Hex, Ownership>()
  const recent: Hex[] = []
  let made = 0
  let finalized = 0
  let dropped: WorldBlock[] = []

  const blocks = node.blocks as WorldBlock[]
  const keep = (block: WorldBlock) => {
    byHash.set(block.hash, block)
    byNumber.set(block.number, [...(byNumber.get(block.number) ?? []), block])
  }
  blocks[0]!.moves = []
  keep(blocks[0]!)
  let current: Ownership = new Map()

  function add(): void {
    const random = createRandom(seed + 7_919 * ++made)
    const { logs, moves } = drawActivity(random, contracts, current, blocks.length)
    const block = Object.assign(node.add(logs, String(made)), { moves })
    keep(block)
    finalized = Math.max(finalized, block.number - finalityDepth)
  }

  const chain: WorldChain = {
    contracts,
    blocks,
    finalized: () => finalized,
    head: () => blocks.at(-1)!,
    add,
    reorganise(depth) {
      const most = Math.min(depth, chain.head().number - finalized - 1)
      if (most < 1) return
      dropped = blocks.splice(blocks.length - most)
      current = copy(chain.ownershipAt(chain.head()))
      for (let i = 0; i <= most; i++) add()
    },
    flip() {
      const [first] = dropped
      if (!first || first.number <= finalized || blocks[first.number - 1]?.hash !== first.parentHash) return false
      const back = dropped
      dropped = blocks.splice(first.number)
      blocks.push(...back)
      current = copy(chain.ownershipAt(chain.head()))
      while (blocks.length <= dropped.at(-1)!.number + 1) add()
      return true
    },
    byHash: (hash) => byHash.get(hash),
    newest: () => byNumber.size - 1,
    candidates: (number) => byNumber.get(number) ?? [],
    ancestry(block) {
      const way: WorldBlock[] = []
      for (let at: WorldBlock | undefined = block; at; at = byHash.get(at.parentHash)) way.push(at)
      return way.reverse()
    },
    ownershipAt(block) {
      const known = states.get(block.hash)
      if (known) return known
      const later: WorldBlock[] = []
      let at: WorldBlock | undefined = block
      while (at && !states.has(at.hash)) {
        later.push(at)
        at = byHash.get(at.parentHash)
      }
      const ownership = copy(at ? states.get(at.hash)! : new Map())
      for (const next of later.reverse()) {
        for (const move of next.moves) applyMove(ownership, move, next.number)
        if (next.number % 100 === 0 && next.number <= finalized) states.set(next.hash, copy(ownership))
      }
      remember(block, ownership)
      return ownership
    },
  }

  function remember(block: WorldBlock, ownership: Ownership): void {
    if (states.has(block.hash)) return
    states.set(block.hash, ownership)
    recent.push(block.hash)
    if (recent.length > mostRecent) states.delete(recent.shift()!)
  }
  return chain
}

const copy = (ownership: Ownership): Ownership =>
  new Map([...ownership].map(([contract, tokens]) => [contract, new Map(tokens)]))

/** Returns the contract at an address. */
export const contractAt = (chain: WorldChain, address: string): WorldContract | undefined =>
  chain.contracts.find((contract) => contract.address === (address.toLowerCase() as Address))
