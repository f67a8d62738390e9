import { type ContractFunctionArgs, type ContractFunctionName, parseAbi, toHex } from 'viem'
import type { Address, Hex } from '../src/util/hex.ts'
import { type Anvil, type Transaction, toTransaction } from './anvil.ts'
import type { Random } from './random.ts'
import { readBalances, readHead, readTruth, type TrueBalance } from './truth.ts'

export type ActivityContracts = {
  /** Any contract with `mint`, `mintBatch`, `burn` and `move`: Plain721, Enumerable721, Consecutive721, Kitties and the bare ones. */
  erc721?: readonly Address[]
  /** Plain1155. */
  erc1155?: readonly Address[]
}

/** Number of actions. A reverted transaction leaves no log. */
export type ActivityCounts = { blocks: number; transactions: number; reverted: number }

const abi721 = parseAbi([
  'function mint(address to, uint256 tokenId)',
  'function mintBatch(address to, uint256 first, uint256 count)',
  'function burn(uint256 tokenId)',
  'function move(address to, uint256[] tokenIds)',
])

const abi1155 = parseAbi([
  'function mint(address to, uint256 id, uint256 amount)',
  'function mintBatch(address to, uint256[] ids, uint256[] amounts)',
  'function burn(address from, uint256 id, uint256 amount)',
  'function burnBatch(address from, uint256[] ids, uint256[] amounts)',
  'function move(address from, address to, uint256 id, uint256 amount)',
  'function moveBatch(address from, address to, uint256[] ids, uint256[] amounts)',
])

type State = { alive: Map<Address, bigint[]>; balances: Map<Address, TrueBalance[]> }

/**
 * Makes `steps` blocks of random mints, transfers, burns and batches. Some are empty, go to the owner, or have ids up to 2^256 − 1.
 * A block has up to six transactions; some blocks are empty.
 * It reads the chain first, so it can be called again, even after a reorganisation. Automine is off meanwhile and on afterwards.
 */
export async function randomActivity(
  anvil: Anvil,
  contracts: ActivityContracts,
  random: Random,
  steps: number,
): Promise<ActivityCounts> {
  const state = await readState(anvil, contracts)
  const counts = { blocks: 0, transactions: 0, reverted: 0 }
  const hashes: Hex[] = []
  await anvil.setAutomine(false)
  for (let step = 0; step < steps; step++) {
    const kinds = [...(contracts.erc721 ?? []).map(op721), ...(contracts.erc1155 ?? []).map(op1155)]
    const transactions = Array.from({ length: 1 + random.int(6) }, () => random.pick(kinds)(anvil, random, state))
    hashes.push(...(await anvil.submitAll(transactions)))
    const blocks = random.chance(0.1) ? 1 + random.int(3) : 1
    await anvil.mine(blocks)
    counts.blocks += blocks
  }
  await anvil.setAutomine(true)
  const receipts = await anvil.receipts(hashes)
  counts.transactions = receipts.length
  counts.reverted = receipts.filter(({ status }) => status === 'reverted').length
  return counts
}

async function readState(anvil: Anvil, contracts: ActivityContracts): Promise<State> {
  const head = await readHead(anvil.url)
  const state: State = { alive: new Map(), balances: new Map() }
  for (const address of contracts.erc721 ?? []) {
    const records = await readTruth(anvil.url, address, head)
    state.alive.set(
      address,
      records.map((record) => BigInt(record.token_id)),
    )
  }
  for (const address of contracts.erc1155 ?? [])
    state.balances.set(address, await readBalances(anvil.url, address, head))
  return state
}

/** One of the ten accounts, or a holder that never sends anything. */
function anyHolder(anvil: Anvil, random: Random): Address {
  return random.chance(0.7) ? random.pick(anvil.accounts) : toHex(0xf00dn + BigInt(random.int(20)), { size: 20 })
}

function anyId(random: Random): bigint {
  const kind = random.int(10)
  if (kind === 0) return 2n ** 256n - 1n - BigInt(random.int(50))
  if (kind < 4) return random.uint256()
  return BigInt(random.int(5_000))
}

const op721 =
  (to: Address) =>
  (anvil: Anvil, random: Random, state: State): Transaction => {
    const send = <name extends ContractFunctionName<typeof abi721>>(
      functionName: name,
      args: ContractFunctionArgs<typeof abi721, 'nonpayable', name>,
    ): Transaction => toTransaction({ to, abi: abi721, functionName, args } as never)
    const alive = state.alive.get(to)!
    const holder = anyHolder(anvil, random)
    const kind = alive.length === 0 ? 0 : random.int(10)
    if (kind < 2) {
      const id = anyId(random)
      if (alive.includes(id)) return send('move', [holder, [id]])
      alive.push(id)
      return send('mint', [holder, id])
    }
    if (kind === 2) {
      // Far from other ids, so that all ids of the batch are new.
      const first = (random.uint256() >> 8n) + 10_000n
      const count = BigInt(1 + random.int(30))
      for (let id = first; id < first + count; id++) alive.push(id)
      return send('mintBatch', [holder, first, count])
    }
    const index = random.int(alive.length)
    if (kind < 5) return send('burn', [alive.splice(index, 1)[0]!])
    // One transaction may move a token twice, or to its owner.
    const moved = Array.from({ length: 1 + random.int(5) }, () => random.pick(alive))
    return send('move', [holder, moved])
  }

const op1155 =
  (address: Address) =>
  (anvil: Anvil, random: Random, state: State): Transaction => {
    const send = <name extends ContractFunctionName<typeof abi1155>>(
      functionName: name,
      args: ContractFunctionArgs<typeof abi1155, 'nonpayable', name>,
    ): Transaction => toTransaction({ to: address, abi: abi1155, functionName, args } as never)
    const balances = state.balances.get(address)!
    const add = (holder: Address, tokenId: bigint, amount: bigint) => {
      const found = balances.find((balance) => balance.holder === holder && balance.tokenId === tokenId)
      if (found) found.amount += amount
      else balances.push({ holder, tokenId, amount })
    }
    const holder = anyHolder(anvil, random)
    const amount = random.chance(0.15) ? 0n : BigInt(1 + random.int(100))
    const kind = balances.length === 0 ? 0 : random.int(10)
    if (kind < 2) {
      const id = random.chance(0.5) ? BigInt(random.int(40)) : anyId(random)
      add(holder, id, amount)
      return send('mint', [holder, id, amount])
    }
    if (kind === 2) {
      // The batch may contain the same id twice.
      const ids = Array.from({ length: 1 + random.int(8) }, () => BigInt(random.int(40)))
      const amounts = ids.map(() => BigInt(random.int(20)))
      for (const [n, id] of ids.entries()) add(holder, id, amounts[n]!)
      return send('mintBatch', [holder, ids, amounts])
    }
    const balance = random.pick(balances)
    const part = random.chance(0.3) ? balance.amount : BigInt(random.int(Number(balance.amount) + 1))
    const { holder: from, tokenId } = balance
    if (kind < 5) {
      balance.amount -= part
      return send('burn', [from, tokenId, part])
    }
    const to = random.chance(0.15) ? from : holder
    if (kind < 8) {
      balance.amount -= part
      add(to, tokenId, part)
      return send('move', [from, to, tokenId, part])
    }
    const own = balances.filter((other) => other.holder === from).slice(0, 1 + random.int(5))
    const amounts = own.map((other) => (random.chance(0.3) ? other.amount : other.amount / 2n))
    for (const [n, other] of own.entries()) {
      other.amount -= amounts[n]!
      if (kind === 8) add(to, other.tokenId, amounts[n]!)
    }
    const ids = own.map((other) => other.tokenId)
    return kind === 8 ? send('moveBatch', [from, to, ids, amounts]) : send('burnBatch', [from, ids, amounts])
  }
