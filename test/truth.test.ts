import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Address, zeroAddress } from '../src/util/hex.ts'
import { startAnvil } from './anvil.ts'
import { consecutive721 } from './contracts/artifacts/consecutive721.ts'
import { emitter } from './contracts/artifacts/emitter.ts'
import { kitties } from './contracts/artifacts/kitties.ts'
import { nameless721 } from './contracts/artifacts/nameless721.ts'
import { plain20 } from './contracts/artifacts/plain20.ts'
import { plain721 } from './contracts/artifacts/plain721.ts'
import { plain1155 } from './contracts/artifacts/plain1155.ts'
import { transferLogs } from './contracts/transferLogs.ts'
import { createRandom } from './random.ts'
import { randomActivity } from './randomActivity.ts'
import { readTransfers } from './readTransfers.ts'
import { system } from './system.ts'
import { readHead, readTruth } from './truth.ts'

test('default: reads the tokens of an ERC-721 at two blocks', async () => {
  await using anvil = await startAnvil()
  const [alice, bob] = anvil.accounts as [Address, Address]
  const to = await anvil.deploy(plain721, ['Name', 'SYM', ''])
  const { abi } = plain721
  await anvil.send({ to, abi, functionName: 'mintIds', args: [alice, [1n, 2n, 3n]] })
  await anvil.send({ to, abi, functionName: 'move', args: [bob, [2n]] })
  await anvil.send({ to, abi, functionName: 'burn', args: [3n] })

  const expected = (id: bigint, owner: Address, block: string) => ({
    token_address: to,
    token_id: String(id),
    token_hash: createHash('md5').update(`${to}${id}`).digest('hex'),
    owner_of: owner,
    minter_address: alice,
    block_number: block,
    block_number_minted: '2',
    contract_type: 'ERC721',
    amount: '1',
  })
  const byHash = (a: { token_hash: string }, b: { token_hash: string }) => (a.token_hash < b.token_hash ? 1 : -1)
  expect(await readTruth(anvil.url, to)).toEqual([expected(1n, alice, '2'), expected(2n, bob, '3')].sort(byHash))
  expect(await readTruth(anvil.url, to, 2n)).toEqual([1n, 2n, 3n].map((id) => expected(id, alice, '2')).sort(byHash))
})

test('default: reads an ERC-1155 with several holders, one holder, zero amounts and burned tokens', async () => {
  await using anvil = await startAnvil()
  const [alice, bob] = anvil.accounts as [Address, Address]
  const to = await anvil.deploy(plain1155, ['Items', 'ITM'])
  const { abi } = plain1155
  await anvil.send({ to, abi, functionName: 'mintBatch', args: [alice, [1n, 2n, 3n, 1n], [5n, 6n, 7n, 10n]] })
  await anvil.send({ to, abi, functionName: 'move', args: [alice, bob, 1n, 4n] })
  await anvil.send({ to, abi, functionName: 'burn', args: [alice, 3n, 7n] })
  await anvil.send({ to, abi, functionName: 'mint', args: [alice, 4n, 0n] })
  await anvil.send({ to, abi, functionName: 'move', args: [alice, alice, 2n, 6n] })
  const records = await readTruth(anvil.url, to)
  expect(records.map((r) => [r.token_id, r.amount, r.owner_of, r.block_number, r.minter_address]).sort()).toEqual([
    ['1', '15', null, '3', alice],
    ['2', '6', alice, '6', alice],
  ])
})

test('behavior: reads no NFTs from an ERC-20', async () => {
  await using anvil = await startAnvil()
  const to = await anvil.deploy(plain20, [])
  await anvil.send({ to, abi: plain20.abi, functionName: 'mint', args: [anvil.accounts[0]!, 5n] })
  expect(await readTruth(anvil.url, to)).toEqual([])
})

test('behavior: a token that moved without a mint has no minter', async () => {
  await using anvil = await startAnvil()
  const [alice, bob] = anvil.accounts as [Address, Address]
  const to = await anvil.deploy(emitter, [])
  const logs = [transferLogs.erc721(alice, bob, 1n), transferLogs.erc721(bob, zeroAddress, 2n)]
  await anvil.send({ to, abi: emitter.abi, functionName: 'emitLogs', args: [logs] })
  const records = await readTruth(anvil.url, to, undefined, { ownership: 'logs' })
  expect(records).toMatchObject([{ token_id: '1', owner_of: bob, minter_address: null, block_number_minted: '2' }])
})

test('behavior: reads 10,000 tokens', system, async () => {
  await using anvil = await startAnvil()
  const to = await anvil.deploy(plain721, ['Name', 'SYM', ''])
  for (let first = 0n; first < 10_000n; first += 500n)
    await anvil.send({ to, abi: plain721.abi, functionName: 'mintBatch', args: [anvil.accounts[1]!, first, 500n] })
  expect(await readTruth(anvil.url, to)).toHaveLength(10_000)
})

test('behavior: contracts and logs agree after random activity, also after a reorganisation', async () => {
  await using anvil = await startAnvil()
  const [alice, bob] = anvil.accounts as [Address, Address]
  const erc721 = [
    await anvil.deploy(plain721, ['Name', 'SYM', '']),
    await anvil.deploy(consecutive721, [
      [alice, bob],
      [50n, 20n],
    ]),
    await anvil.deploy(kitties, []),
    await anvil.deploy(nameless721, []),
  ]
  const erc1155 = [await anvil.deploy(plain1155, ['Items', 'ITM'])]
  // One seed, as below the activity is expected to have every kind of transfer.
  const random = createRandom(1)
  const first = await randomActivity(anvil, { erc721, erc1155 }, random, 40)
  const middle = await readHead(anvil.url)
  await anvil.reorg(10)
  const second = await randomActivity(anvil, { erc721, erc1155 }, random, 40)
  for (const { transactions, reverted } of [first, second]) expect(reverted / transactions).toBeLessThan(0.2)

  const seen = new Set<string>()
  let tokens = 0
  for (const address of [...erc721, ...erc1155])
    for (const block of [middle - 20n, await readHead(anvil.url)]) {
      const requested = await readTruth(anvil.url, address, block)
      expect(requested, `${address} at ${block}`).toEqual(
        await readTruth(anvil.url, address, block, { ownership: 'logs' }),
      )
      for (const { from, to, amount } of await readTransfers(anvil.url, address, block)) {
        if (from === zeroAddress) seen.add('mint')
        else if (to === zeroAddress) seen.add('burn')
        else seen.add(from === to ? 'self' : 'move')
        if (amount === 0n) seen.add('nothing')
      }
      tokens += requested.length
    }
  expect(tokens).toBeGreaterThan(100)
  expect([...seen].sort()).toEqual(['burn', 'mint', 'move', 'nothing', 'self'])
})
