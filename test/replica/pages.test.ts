// @module-tag system

import { expect, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { patience } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { startReplicatedService } from './replicatedService.ts'

const random = createRandom(freshSeed())

const mint = (to: Address, contract: Address, id: bigint) =>
  ({ to: contract, abi: plain721.abi, functionName: 'mint', args: [to, id] }) as const

/** The x-index-… headers of a response, except the age of the head, which always changes. */
function claims(headers: Headers): Record<string, string> {
  const all = [...headers].filter(([name]) => name.startsWith('x-index-') && name !== 'x-index-head-age')
  return Object.fromEntries(all)
}

test('default: every page from the replica equals the page of the primary, with the block that it reports', async () => {
  process.stdout.write(`seed ${random.seed}\n`)
  const { anvil, indexer, server, replica } = await startReplicatedService()
  const erc721 = await anvil.deploy(plain721, ['Copied', 'CPY', 'data:application/json,{"name":"copied"}'])
  const erc1155 = await anvil.deploy(plain1155, ['Many', 'MNY'])
  await randomActivity(anvil, { erc721: [erc721], erc1155: [erc1155] }, random, 25)
  const wallet = anvil.accounts[0]!
  const head = await anvil.blockNumber()
  for (const address of [erc721, erc1155]) await server.untilSynced(address, head)
  const [record] = await indexer.walk(erc721)
  const ofToken = `${erc721}/${record!.token_id}`
  const [transfer] = (
    (await (await indexer.get(`/api/v2/nft/${erc721}/transfers?chain=local`)).json()) as {
      result: { block_number: string; block_hash: string }[]
    }
  ).result as [{ block_number: string; block_hash: string }]
  const paths = [
    `nft/${erc721}?limit=3&disable_total=false&normalizeMetadata=true&media_items=true`,
    `nft/${erc1155}?limit=100&format=hex`,
    `nft/${erc721}?as_of_block=${head - 3n}`,
    `nft/${erc721}?include=rarity&limit=5`,
    `nft/${erc721}/owners?disable_total=false`,
    `nft/${erc1155}/owners?disable_total=false`,
    `nft/${erc1155}/owners?as_of_block=${head - 2n}`,
    `nft/${ofToken}`,
    `nft/${ofToken}/owners`,
    `nft/${ofToken}/transfers`,
    `nft/${ofToken}/stats`,
    `nft/${erc721}/transfers?order=ASC&limit=7`,
    `nft/${erc721}/transfers?disable_total=false&from_date=2000-01-01`,
    `nft/${erc721}/stats`,
    `nft/${erc721}/traits`,
    `nft/${erc721}/metadata`,
    `nft/${erc721}/snapshot?as_of_block=${head - 10n}&format=csv`,
    `nft/transfers?limit=9`,
    `block/${transfer.block_number}/nft/transfers`,
    `block/${transfer.block_hash}/nft/transfers`,
    `${wallet}/nft?disable_total=false`,
    `${wallet}/nft?token_addresses=${erc1155}`,
    `${wallet}/nft/collections?token_counts=true`,
    `${wallet}/nft/transfers`,
  ]
  for (const path of paths) {
    const target = `/api/v2/${path}${path.includes('?') ? '&' : '?'}chain=local`
    await expect
      .poll(
        async () => {
          const [first, second] = [await indexer.get(target), await server.get(target)]
          const of = async (answer: Response) => [answer.status, await answer.text(), claims(answer.headers)]
          const [here, there] = [await of(first), await of(second)]
          expect(here[0], `${target} ${here[1]}`).toBe(200)
          // URLs of previews contain the server's address.
          return JSON.stringify(there).replaceAll(server.url, indexer.url) === JSON.stringify(here)
        },
        { ...patience, message: target },
      )
      .toBe(true)
  }
  // A cursor of one process works in the other.
  const first = await indexer.page(erc1155, { limit: 2 })
  const rest = { limit: 2, cursor: first.body.cursor! }
  expect((await server.page(erc1155, rest)).body).toEqual((await indexer.page(erc1155, rest)).body)
  // Nothing so far came from the primary.
  await replica.pause()
  const before = await server.page(erc721, { limit: 1, format: 'hex' })
  await anvil.send(mint(wallet, erc721, 77_777n))
  await indexer.untilSynced(erc721, await anvil.blockNumber())
  expect((await server.page(erc721, { limit: 1, format: 'hex' })).body).toEqual(before.body)
})

test('behavior: while replay is paused, responses report the block of the replica with an aging head, then advance', async () => {
  const { anvil, indexer, server, replica } = await startReplicatedService({}, { maxHeadAgeMs: 4_000 })
  const contract = await anvil.deploy(plain721, ['Held', 'HLD', ''])
  const holder = anvil.accounts[1]!
  await anvil.send(mint(holder, contract, 1n))
  const seen = await anvil.blockNumber()
  await server.untilSynced(contract, seen)
  const ofWallet = () => server.get(`/api/v2/${holder}/nft?chain=local`)
  await expect.poll(async () => (await ofWallet()).headers.get('x-index-to-block'), patience).toBe(String(seen))

  await replica.pause()
  await anvil.send(mint(holder, contract, 2n))
  const moved = await anvil.blockNumber()
  await indexer.untilSynced(contract, moved)
  const first = await server.page(contract)
  expect(first.body.result.map(({ token_id }) => token_id)).toEqual(['1'])
  expect(claims(first.headers)).toMatchObject({
    'x-index-to-block': String(seen),
    'x-index-head-block': String(seen),
    'x-index-lag-blocks': '0',
  })
  const transfers = await server.get(`/api/v2/nft/${contract}/transfers?chain=local`)
  expect(((await transfers.json()) as { result: unknown[] }).result).toHaveLength(1)
  expect(transfers.headers.get('x-index-to-block')).toBe(String(seen))
  const wallet = await ofWallet()
  expect(((await wallet.json()) as { result: unknown[] }).result).toHaveLength(1)
  expect(wallet.headers.get('x-index-to-block')).toBe(String(seen))
  const age = async () => Number((await server.page(contract)).headers.get('x-index-head-age'))
  await expect.poll(age, patience).toBeGreaterThanOrEqual(4)
  await expect.poll(async () => (await server.page(contract)).body.status, patience).toBe('SYNCING')
  await indexer.untilSynced(contract, moved)
  const lag = async () =>
    Number(/^mintmark_replica_lag_seconds\{.*\} (.*)$/m.exec(await (await server.get('/metrics')).text())?.[1])
  await expect.poll(lag, patience).toBeGreaterThan(2)
  const ready = (await (await server.get('/ready')).json()) as { replica: { lagSeconds: number } }
  expect(ready).toEqual({
    status: 'ready',
    replica: { lagSeconds: expect.any(Number), lagBytes: expect.any(Number), isPaused: true },
  })
  expect(ready.replica.lagSeconds).toBeGreaterThan(2)

  await replica.resume()
  const after = await server.untilSynced(contract, moved)
  expect(after.result.map(({ token_id }) => token_id).sort()).toEqual(['1', '2'])
  await expect.poll(lag, patience).toBeLessThan(1)
})

test('behavior: a contract that only the primary knows is reported as being indexed, and is requested once', async () => {
  const { anvil, indexer, server, replica } = await startReplicatedService()
  const contract = await anvil.deploy(plain721, ['New', 'NEW', ''])
  await anvil.send(mint(anvil.accounts[0]!, contract, 5n))
  await replica.untilReplayed()
  await replica.pause()
  for (let time = 0; time < 3; time++) {
    const { body, headers } = await server.page(contract)
    expect([body.status, body.result]).toEqual(['SYNCING', []])
    expect(headers.get('x-index-status')).toBe('queued')
  }
  await indexer.untilSynced(contract, await anvil.blockNumber())
  const { body, headers } = await server.page(contract)
  expect([body.status, body.result, headers.get('x-index-status')]).toEqual(['SYNCING', [], 'queued'])
  for (const route of ['owners', 'transfers', 'traits'])
    expect((await server.get(`/api/v2/nft/${contract}/${route}?chain=local`)).status, route).toBe(200)
  // Writes, and files of the whole collection, go to the primary.
  const headersOf = { 'x-api-key': 'key-of-this-test-0815' }
  const requested = await fetch(`${server.url}/api/v2/nft/${contract}/sync?chain=local`, {
    method: 'PUT',
    headers: headersOf,
  })
  expect(requested.status).toBe(202)
  expect(await requested.json()).toMatchObject({ status: 'SYNCED' })
  expect((await server.get(`/api/v2/nft/${contract}/5/metadata/resync?chain=local`)).status).toBe(202)
  const file = await server.get(`/api/v2/nft/${contract}/export?chain=local&format=ndjson`)
  expect((await file.text()).trim().split('\n')).toHaveLength(1)
  await replica.resume()
  expect((await server.untilSynced(contract, 1n)).result).toHaveLength(1)
  expect(await indexer.database.db.rows('SELECT count(*)::int FROM collection')).toEqual([[1]])
})

test('behavior: no page shows rows of another block than it reports, across reorganisations and replica outages', async () => {
  const { anvil, indexer, server, replica } = await startReplicatedService({ pageCache: { freshMs: 0 } })
  const contract = await anvil.deploy(plain721, ['Flips', 'FLP', ''])
  const [a, b] = anvil.accounts as [Address, Address]
  for (let id = 0n; id < 4n; id++) await anvil.send(mint(a, contract, id))
  await anvil.mine(3)
  await server.untilSynced(contract, await anvil.blockNumber())
  /** By block number, the owners of the tokens at its end. A replaced block adds a second set of owners. */
  const truth = new Map<bigint, Set<string>>()
  const note = async () => {
    const block = await anvil.blockNumber()
    const owners = await Promise.all(
      [0n, 1n, 2n, 3n].map((id) =>
        anvil.read({ to: contract, abi: plain721.abi, functionName: 'ownerOf', args: [id] }),
      ),
    )
    const known = truth.get(block) ?? new Set()
    truth.set(block, known.add(owners.map((owner) => owner.toLowerCase()).join()))
  }
  await note()
  let isOver = false
  let pages = 0
  const reading = (async () => {
    while (!isOver) {
      const { body, headers } = await server.page(contract, { limit: 10 })
      const owners = body.result.toSorted((x, y) => Number(x.token_id) - Number(y.token_id)).map((r) => r.owner_of)
      const block = BigInt(headers.get('x-index-to-block')!)
      const possible = truth.get(block)
      if (possible) {
        expect([...possible], `block ${block}`).toContain(owners.join())
        pages++
      }
    }
  })()
  let [from, to] = [a, b]
  for (let round = 0; round < 6; round++) {
    await replica.pause()
    const move = { to: contract, abi: plain721.abi, functionName: 'transferFrom' } as const
    await anvil.setAutomine(false)
    await anvil.submitAll([0n, 1n, 2n, 3n].map((id) => toTransaction({ ...move, args: [from, to, id] })))
    await anvil.mine()
    await anvil.setAutomine(true)
    await note()
    // Pages are read while only the primary has the block.
    await indexer.untilSynced(contract, await anvil.blockNumber())
    const before = pages
    await Promise.race([reading, expect.poll(() => pages, patience).toBeGreaterThan(before + 3)])
    await replica.resume()
    if (round % 2 === 0) {
      await server.untilSynced(contract, await anvil.blockNumber())
      // Reverts the transfer: a new block replaces its block.
      await anvil.reorg(1)
      await note()
    } else [from, to] = [to, from]
  }
  await server.untilSynced(contract, await anvil.blockNumber())
  isOver = true
  await reading
  expect(pages).toBeGreaterThan(10)
})
