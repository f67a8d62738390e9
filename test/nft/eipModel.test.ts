// @module-tag system

import { encodeAbiParameters, getContractAddress, toFunctionSelector, toHex } from 'viem'
import { expect, inject, test } from 'vitest'
import type { Address, Hex } from '../../src/util/hex.ts'
import { zeroAddress } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, type Transaction, toTransaction } from '../anvil.ts'
import { emitter } from '../contracts/artifacts/emitter.ts'
import { EipModel, type Emission, emissions } from '../eipModel.ts'
import { type NftRecord, startTestServer, type TestServer } from '../mintmark.ts'
import { createRandom, freshSeed, type Random } from '../random.ts'
import { ownedPart } from './ownership.ts'

/** `changing` switches from tokens to ERC-1155 units, like a proxy with a new implementation. `replaced` is deployed again on other forks. */
type Kind = 'tokens' | 'erc1155' | 'coins' | 'mixed' | 'changing' | 'replaced'
type Contract = { kind: Kind; address: Address; since: bigint | null; name: string | null }

const repeats = inject('rounds') - 1
const rounds = 14

test('behavior: every route matches a model of the EIPs, for any logs and across reorganisations', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 16 })
  // Pages of undone blocks must not remain fresh.
  await using server = await startTestServer({ rpc: [anvil.url], config: { pageCache: { freshMs: 0 } } })
  const world = await createWorld(anvil, random)
  for (let round = 0; round < rounds; round++) {
    await world.act(1 + random.int(5))
    if (random.chance(0.4)) await world.reorganise(1 + random.int(20))
    // Each contract has its own seed, so that results do not depend on the order of responses.
    const seeds = world.contracts.map(() => random.int(2 ** 31))
    await Promise.all(
      world.contracts.map((contract, n) =>
        expectModel(server, world, { ...contract, random: createRandom(seeds[n]!) }),
      ),
    )
  }
})

type World = Awaited<ReturnType<typeof createWorld>>

async function createWorld(anvil: Anvil, random: Random) {
  const model = new EipModel()
  const holders = anvil.accounts.slice(0, 4)
  const deployer = anvil.accounts[9]!
  const anyone = () => (random.chance(0.25) ? zeroAddress : random.pick(holders))
  const id = () => BigInt(1 + random.int(6))

  async function deploy(kind: Kind): Promise<Contract> {
    const address = await anvil.deploy(emitter, [])
    if (kind === 'coins') await anvil.sendRaw(answer(address, 'decimals()', toHex(18n, { size: 32 })))
    return { kind, address, since: 0n, name: null }
  }
  const kinds = ['tokens', 'erc1155', 'coins', 'mixed', 'changing'] as const
  const contracts: Contract[] = []
  for (const kind of kinds) contracts.push(await deploy(kind))
  await anvil.mine(40)
  // The account deploys one contract per fork, so its address is the same on each.
  const address = getContractAddress({ from: deployer, nonce: 0n }).toLowerCase() as Address
  const replaced: Contract = { kind: 'replaced', address, since: null, name: null }
  contracts.push(replaced)
  let names = 0

  const token = () => emissions.token(anyone(), anyone(), id())
  const moveErc1155 = () => {
    const ids = Array.from({ length: 1 + random.int(3) }, id)
    return emissions.erc1155(
      ...([random.pick(holders), anyone(), anyone(), ids, ids.map(() => BigInt(random.int(4)))] as const),
    )
  }
  const tokens = () => emissions.tokens(anyone(), anyone(), id(), BigInt(1 + random.int(4)))

  function emissionOf({ kind, address, name }: Contract): Emission {
    if (kind === 'erc1155') return moveErc1155()
    if (kind === 'mixed') return random.pick([token, moveErc1155])()
    if (kind === 'changing') return model.standardOf(address) && random.chance(0.5) ? moveErc1155() : token()
    if (kind === 'replaced') return Number(name) % 2 === 0 ? moveErc1155() : token()
    if (kind === 'coins' && random.chance(model.standardOf(address) ? 0.3 : 0.85))
      return emissions.coins(anyone(), anyone(), BigInt(random.int(9)))
    return random.chance(0.2) ? tokens() : token()
  }

  /** Draws the transactions of a block. The model records their effects once the block exists. */
  function draw(block: bigint): Transaction[] {
    const contract = random.pick(contracts)
    if (contract.kind === 'replaced' && contract.since === null) {
      if (random.chance(0.5)) return []
      Object.assign(contract, { since: block, name: String(++names) })
      const text = encodeAbiParameters([{ type: 'string' }], [contract.name!])
      return [
        { from: deployer, data: emitter.bytecode },
        { ...answer(contract.address, 'name()', text), from: deployer },
      ]
    }
    const emitted = Array.from({ length: 1 + random.int(4) }, () => emissionOf(contract))
    model.add(block, contract.address, emitted)
    const args = [emitted.map(({ log }) => log as { topics: Hex[]; data: Hex })]
    return [toTransaction({ to: contract.address, abi: emitter.abi, functionName: 'emitLogs', args })]
  }

  return {
    anvil,
    model,
    contracts,
    holders,
    async act(blocks: number): Promise<void> {
      await anvil.setAutomine(false)
      for (let n = 0; n < blocks; n++) {
        for (const transaction of draw((await anvil.blockNumber()) + 1n))
          await anvil.rpc('eth_sendTransaction', [{ from: holders[0], gas: toHex(16_000_000n), ...transaction }])
        await anvil.mine(1)
      }
      await anvil.setAutomine(true)
    },
    /** Replaces the last `depth` blocks by as many new ones; some of them have transactions. */
    async reorganise(depth: number): Promise<void> {
      const fork = (await anvil.blockNumber()) - BigInt(depth)
      model.undoAbove(fork)
      if (replaced.since !== null && replaced.since > fork) Object.assign(replaced, { since: null, name: null })
      const given = Array.from({ length: depth }, (_, offset) =>
        random.chance(0.4)
          ? draw(fork + 1n + BigInt(offset)).map((transaction): [Transaction, number] => [transaction, offset])
          : [],
      )
      await anvil.reorg(depth, given.flat())
    },
  }
}

const answer = (to: Address, signature: string, data: Hex): Transaction =>
  toTransaction({ to, abi: emitter.abi, functionName: 'answer', args: [toFunctionSelector(signature), false, data] })

async function expectModel(server: TestServer, world: World, contract: Contract & { random: Random }): Promise<void> {
  const { anvil, model, holders } = world
  const { address, random } = contract
  const head = await anvil.blockNumber()
  const request = async (path: string) => {
    const response = await server.get(`/api/v2/${path}${path.includes('?') ? '&' : '?'}chain=local&limit=100`)
    return { status: response.status, headers: response.headers, body: (await response.json()) as never }
  }
  if (contract.since === null) {
    await expect.poll(async () => (await request(`nft/${address}`)).status).toBe(404)
    return
  }
  const { hash } = await anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', [toHex(head), false])
  const shownHead = async () => {
    const { status, headers, body } = await request(`nft/${address}?as_of_block=${head}`)
    if (status === 404) await lookAgain(server)
    return [status, headers.get('x-as-of-block-hash'), (body as Answer).status]
  }
  await expect.poll(shownHead, { message: contract.kind }).toEqual([200, hash, 'SYNCED'])
  const about = `${contract.kind} at ${head}`
  for (const block of [head, head, head - BigInt(random.int(20)), head - BigInt(random.int(60))].map((b, n) =>
    n === 0 ? null : b < 0n ? 0n : b,
  )) {
    const at = block === null ? '' : `?as_of_block=${block}`
    const truth = model.records(address, block ?? head)
    const list = await request(`nft/${address}${at}`)
    expect((list.body as Answer).result.map(ownedPart), `${about}${at}`).toEqual(truth)
    expect(list.headers.get('x-index-incomplete'), `${about}${at}`).toBe(null)
    const id = String(1 + random.int(9))
    const one = await request(`nft/${address}/${id}${at}`)
    const known = truth.find(({ token_id }) => token_id === id)
    expect(one.status === 200 ? ownedPart(one.body as NftRecord) : one.status, `${about}${at}`).toEqual(known ?? 404)
    const owners = await request(`nft/${address}/owners${at}`)
    expect(owners.status, `${about}${at} ${JSON.stringify(owners.body)}`).toBe(200)
    expect((owners.body as Answer).result.map(holding), `${about}${at}`).toEqual(
      truth.flatMap(({ token_id }) =>
        model
          .balances(address, block ?? head)
          .get(BigInt(token_id))!
          .map(({ holder, amount }) => [token_id, holder, String(amount)])
          .sort((a, b) => (a[1]! < b[1]! ? -1 : 1)),
      ),
    )
  }

  const transfers = model.transfers(address, head)
  const moved = await request(`nft/${address}/transfers?order=ASC&from_block=0`)
  const shown = (moved.body as { result: TransferRecord[] }).result
  expect(shown.map(partOf), about).toEqual(
    transfers.slice(0, 100).map((t) => ({
      ...{ token_id: String(t.id), from_address: t.from, to_address: t.to, amount: String(t.amount) },
      ...{ contract_type: t.standard, operator: t.operator, block_number: String(t.block) },
    })),
  )
  const held = [...model.balances(address, head).values()].flat()
  const stats = async () => ((await request(`nft/${address}/stats`)).body as Statistics) ?? null
  await expect.poll(stats, { message: about }).toMatchObject({
    total_tokens: String(model.records(address, head).length),
    owners: { current: String(new Set(held.map(({ holder }) => holder)).size) },
    transfers: { total: String(transfers.length) },
  })
  const id = BigInt(1 + random.int(6))
  expect((await request(`nft/${address}/${id}/stats`)).body, about).toMatchObject({
    total_tokens: String(held.filter(({ tokenId }) => tokenId === id).reduce((sum, { amount }) => sum + amount, 0n)),
    transfers: { total: String(transfers.filter((t) => t.id === id).length) },
  })
  const wallet = random.pick(holders)
  const ofWallet = async () => {
    const { body } = await request(`${wallet}/nft?token_addresses[]=${address}`)
    return (body as Answer).result.map(({ token_id, amount }) => `${token_id}: ${amount}`).sort()
  }
  await expect.poll(ofWallet, { message: about }).toEqual(
    held
      .filter(({ holder }) => holder === wallet)
      .map((b) => `${b.tokenId}: ${b.amount}`)
      .sort(),
  )
  const named = await request(`nft/${address}/metadata`)
  expect(named.body, about).toMatchObject({ name: contract.name, contract_type: model.standardOf(address) })
}

/** Simulates that a minute has passed. A request then checks an address without a contract again. */
async function lookAgain({ database }: TestServer): Promise<void> {
  await database.db.run(`UPDATE collection SET checked_at = now() - interval '2 minutes' WHERE status = 'nocode'`)
}

type Answer = { status: string; result: NftRecord[] }
type Statistics = { total_tokens: string }
type TransferRecord = Record<'token_id' | 'from_address' | 'to_address' | 'amount', string> &
  Record<'contract_type' | 'block_number', string> & { operator: string | null }

const holding = ({ token_id, owner_of, amount }: NftRecord) => [token_id, owner_of, amount]

function partOf(t: TransferRecord): TransferRecord {
  const { token_id, from_address, to_address, amount, contract_type, operator, block_number } = t
  return { token_id, from_address, to_address, amount, contract_type, operator, block_number }
}
