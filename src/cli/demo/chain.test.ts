// @module-tag system

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, http, parseAbiItem } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { renderPreviews } from '../../nft/media/draw/renderPreviews.ts'
import type { Address } from '../../util/hex.ts'
import { noopLog } from '../../util/log.ts'
import { startDemoChain } from './chain.ts'
import { demo721 } from './contracts/demo721.artifact.ts'
import { demo1155 } from './contracts/demo1155.artifact.ts'

async function start(options: { blockIntervalMs: number; signal?: AbortSignal }) {
  const folder = mkdtempSync(join(tmpdir(), 'demo-chain-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const chain = await startDemoChain({ folder, log: noopLog, ...options })
  // Vitest calls this before the function that was registered earlier.
  onTestFinished(() => chain.stop())
  return { chain, client: createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 }) }
}

const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)')

test('default: the demo chain starts with three collections with metadata, and their first blocks are soon finalized', async () => {
  const { chain, client } = await start({ blockIntervalMs: 60_000 })
  expect(await client.getChainId()).toBe(0x7a69)

  const finalized = await client.getBlock({ blockTag: 'finalized' })
  const { erc721, erc1155 } = chain.collections
  const logs = await client.getLogs({ address: erc721, event: transfer, fromBlock: 0n, toBlock: finalized.number })
  const minted = new Set(logs.map((log) => log.args.tokenId))
  expect(logs.filter((log) => BigInt(log.args.from!) === 0n).length).toBeGreaterThanOrEqual(10_000)
  expect(minted.has(0n) && minted.has(9_999n)).toBe(true)

  const tile = await client.readContract({ address: erc721, abi: demo721.abi, functionName: 'tokenURI', args: [7n] })
  expect(readDataUri(tile)).toMatchObject({ name: 'Tile #7', image: expect.stringMatching(/^data:image\/svg\+xml/) })
  const item = await client.readContract({ address: erc1155, abi: demo1155.abi, functionName: 'uri', args: [3n] })
  expect(readDataUri(item)).toMatchObject({ name: 'Moon 3' })
})

test('behavior: the demo contracts draw distinct images, and previews can be made of them', async () => {
  const { chain, client } = await start({ blockIntervalMs: 60_000 })
  const { erc721, erc1155, horizons } = chain.collections
  const uriOf = (address: Address, id: bigint) =>
    address === erc1155
      ? client.readContract({ address, abi: demo1155.abi, functionName: 'uri', args: [id] })
      : client.readContract({ address, abi: demo721.abi, functionName: 'tokenURI', args: [id] })
  for (const address of [erc721, erc1155, horizons]) {
    const ids = Array.from({ length: 99 }, (_, n) => BigInt(n))
    const documents = await Promise.all(ids.map(async (id) => readDataUri(await uriOf(address, id)) as Drawn))
    expect(new Set(documents.map(({ image }) => image)).size).toBe(ids.length)
    const traits = new Set(documents.flatMap(({ attributes }) => attributes.map((trait) => JSON.stringify(trait))))
    expect(traits.size).toBeGreaterThan(12)
    const previews = await Promise.all(
      documents.slice(0, 24).map(async ({ image }) => {
        const svg = Buffer.from(image.split(',')[1]!, 'base64')
        const drawn = await renderPreviews(svg, { mimetype: 'image/svg+xml', maxPixels: 1_000_000 })
        return drawn.status === 'success' ? drawn.sizes.low.bytes.toString('base64') : drawn.status
      }),
    )
    expect(new Set(previews).size).toBe(previews.length)
  }
})

test('behavior: the demo chain keeps minting and transferring, and its full log history stays readable', async () => {
  const { chain, client } = await start({ blockIntervalMs: 1 })
  // The chain now has more blocks than the node keeps states.
  await expect.poll(() => client.getBlockNumber()).toBeGreaterThan(160n)
  const logs = await client.getLogs({ address: chain.collections.erc721, event: transfer, fromBlock: 0n })
  const mints = logs.filter((log) => BigInt(log.args.from!) === 0n)
  expect(mints.length).toBeGreaterThan(10_100)
  expect(logs.length - mints.length).toBeGreaterThan(100)
  expect(mints[0]).toMatchObject({ blockNumber: 4n, args: { tokenId: 0n } })
})

test('behavior: an aborted signal cancels the start, and an abort after the start leaves the demo chain running', async () => {
  for (const signal of [AbortSignal.abort(), AbortSignal.timeout(150)])
    await expect(start({ blockIntervalMs: 10, signal })).rejects.toThrow()
  const ending = new AbortController()
  const { client } = await start({ blockIntervalMs: 10, signal: ending.signal })
  ending.abort()
  const block = await client.getBlockNumber()
  await expect.poll(() => client.getBlockNumber()).toBeGreaterThan(block)
})

type Drawn = { image: string; attributes: object[] }

function readDataUri(uri: string): unknown {
  const [head, body] = uri.split(',') as [string, string]
  expect(head).toBe('data:application/json;base64')
  return JSON.parse(Buffer.from(body, 'base64').toString('utf8'))
}
