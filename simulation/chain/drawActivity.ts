import { toHex } from 'viem'
import { type Address, zeroAddress } from '../../src/util/hex.ts'
import type { Random } from '../../test/random.ts'
import type { ScriptedLog } from '../../test/scriptedNode.ts'
import type { WorldContract } from './contracts.ts'
import { encodeLogs } from './encodeLogs.ts'
import { applyMove, type Move, type Ownership } from './ownership.ts'

/** The events of a block: its logs, and the token moves that they stand for. */
export type Activity = { logs: ScriptedLog[]; moves: Move[] }

/** Addresses that hold tokens. */
export const accounts: readonly Address[] = Array.from({ length: 24 }, (_, i) =>
  toHex(0xacc0n + BigInt(i), { size: 20 }),
)

/** Draws a block on top of `ownership` and updates it: mints, moves, burns, ranges and batches. Some move nothing or go to the owner. */
export function drawActivity(
  random: Random,
  contracts: readonly WorldContract[],
  ownership: Ownership,
  block: number,
): Activity {
  const activity: Activity = { logs: [], moves: [] }
  const alive = contracts.filter(({ deployedAt }) => deployedAt <= block)
  const count = random.chance(0.15) ? 0 : 1 + random.int(6)
  for (let i = 0; i < count && alive.length > 0; i++) {
    const contract = random.pick(alive)
    const draw = { random, contract, ownership, block, activity }
    if (contract.kind === 'coin') drawCoins(draw)
    else if (contract.kind === 'plain1155') drawMultiple(draw)
    else if (contract.kind === 'both' && random.chance(0.6)) drawMultiple(draw)
    else drawSingle(draw)
  }
  return activity
}

type Draw = { random: Random; contract: WorldContract; ownership: Ownership; block: number; activity: Activity }
type Sides = { from: Address; to: Address }
type Part = Sides & { id: bigint; amount: bigint }

/** Adds a log and its moves. */
function emit(
  { contract, ownership, block, activity }: Draw,
  log: ScriptedLog,
  standard: Move['standard'],
  parts: Part[],
) {
  const logIndex = activity.logs.push(log) - 1
  for (const [item, { from, to, id, amount }] of parts.entries()) {
    const move: Move = { contract: contract.address, standard, logIndex, item, from, to, tokenId: id, amount }
    activity.moves.push(move)
    applyMove(ownership, move, block)
  }
}

function drawCoins({ random, contract, activity }: Draw): void {
  const sides = { from: random.pick(accounts), to: random.pick(accounts) }
  activity.logs.push(encodeLogs.coins(contract.address, sides, BigInt(random.int(1_000))))
}

const anyId = (random: Random): bigint =>
  random.chance(0.1)
    ? 2n ** 256n - 1n - BigInt(random.int(50))
    : random.chance(0.2)
      ? random.uint256()
      : BigInt(random.int(400))

function drawSingle(draw: Draw): void {
  const { random, contract, ownership } = draw
  const encode = contract.kind === 'unindexed721' ? encodeLogs.unindexed : encodeLogs.transfer
  const tokens = ownership.get(contract.address)
  const held = [...(tokens ?? [])].filter(([, token]) => token.standard === 'ERC721' && token.holders.size > 0)
  const to = random.pick(accounts)
  const kind = held.length === 0 ? 0 : random.int(10)
  if (kind < 3) {
    if (contract.kind === 'consecutive721' && random.chance(0.5)) {
      const first = random.uint256() >> 8n
      const count = 1 + random.int(random.chance(0.1) ? 120 : 10)
      const log = encodeLogs.consecutive(contract.address, { from: zeroAddress, to }, first, first + BigInt(count - 1))
      const parts = Array.from({ length: count }, (_, i) => ({
        from: zeroAddress,
        to,
        id: first + BigInt(i),
        amount: 1n,
      }))
      return void emit(draw, log, 'ERC721', parts)
    }
    const id = anyId(random)
    const holder = [...(tokens?.get(id)?.holders.keys() ?? [])][0]
    const from = contract.standard === 'ERC721' ? (holder ?? zeroAddress) : zeroAddress
    return void emit(draw, encode(contract.address, { from, to }, id), 'ERC721', [{ from, to, id, amount: 1n }])
  }
  const [id, token] = random.pick(held)
  const sides = { from: [...token.holders.keys()][0]!, to: kind < 5 ? zeroAddress : to }
  emit(draw, encode(contract.address, sides, id), 'ERC721', [{ ...sides, id, amount: 1n }])
}

function drawMultiple(draw: Draw): void {
  const { random, contract, ownership } = draw
  const tokens = [...(ownership.get(contract.address) ?? [])]
  const held = tokens.filter(([, token]) => token.standard === 'ERC1155' && token.holders.size > 0)
  const to = random.pick(accounts)
  const kind = held.length === 0 ? 0 : random.int(10)
  if (kind < 3) {
    // A batch may contain an id twice and mint an amount of zero.
    const count = random.chance(0.3) ? 1 + random.int(random.chance(0.15) ? 150 : 8) : 1
    const ids = Array.from({ length: count }, () => (random.chance(0.5) ? BigInt(random.int(30)) : anyId(random)))
    const parts = ids.map((id) => ({
      from: zeroAddress,
      to,
      id,
      amount: random.chance(0.1) ? 0n : BigInt(1 + random.int(50)),
    }))
    return void emitMultiple(draw, { from: zeroAddress, to }, parts)
  }
  const [, token] = random.pick(held)
  const from = random.pick([...token.holders.keys()])
  const own = held.filter(([, { holders }]) => holders.has(from)).slice(0, 1 + random.int(4))
  const target = kind < 5 ? zeroAddress : to
  const parts = own.map(([id, { holders }]) => {
    const all = holders.get(from)!
    const amount = random.chance(0.3) ? all : BigInt(random.int(Number(all) + 1))
    return { from, to: target, id, amount }
  })
  emitMultiple(draw, { from, to: target }, parts)
}

function emitMultiple(draw: Draw, sides: Sides, parts: Part[]): void {
  const { address } = draw.contract
  const [one] = parts as [Part]
  const ids = parts.map(({ id }) => id)
  const amounts = parts.map(({ amount }) => amount)
  const log =
    parts.length === 1 && draw.random.chance(0.7)
      ? encodeLogs.single(address, sides, one.id, one.amount)
      : encodeLogs.batch(address, sides, ids, amounts)
  emit(draw, log, 'ERC1155', parts)
}
