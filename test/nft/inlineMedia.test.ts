// @module-tag system

import { expect, test } from 'vitest'
import { type Address, zeroAddress } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { emitter } from '../contracts/artifacts/emitter.ts'
import { transferLogs } from '../contracts/transferLogs.ts'
import { uriCode } from '../contracts/uriCode.ts'
import { colourAt } from '../images.ts'
import { startTestServer } from '../mintmark.ts'

type ShownRecord = {
  token_id: string
  token_uri: string
  metadata: string | null
  normalized_metadata: { image: string | null; animation_url: string | null }
  media: {
    status: string
    original_media_url: string
    mimetype?: string
    media_collection?: { high: { url: string } }
  } | null
}

/** A drawing of about this many bytes, red at its centre. Each seed yields a different one. */
function drawing(bytes: number, seed: number): string {
  const lines = Array.from({ length: bytes / 100 }, (_, n) => `M${(n * seed) % 100} ${n % 100}h1`)
  const path = `<path d="${lines.join('').padEnd(bytes, ' ')}" stroke="#00f"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${path}<rect x="40" y="40" width="20" height="20" fill="#f00"/></svg>`
}

const base64 = (type: string, text: string) => `data:${type};base64,${Buffer.from(text).toString('base64')}`
const asMetadata = (document: object) => base64('application/json', JSON.stringify(document))
const large = base64('image/svg+xml', drawing(300_000, 1))
const escaped = `data:image/svg+xml;utf8,${encodeURIComponent(drawing(90_000, 2))}`
const markup = drawing(200_000, 3)
const page = base64('text/html', `<html><body>${'<p>art</p>'.repeat(20_000)}</body></html>`)

test('behavior: inline media of any length in metadata or token URIs gets a preview, and is not stored again', async () => {
  const documents = [
    { name: 'large', image: large },
    { name: 'escaped', image: escaped },
    { name: 'markup', image_data: markup },
    { name: 'page and picture', image: 'ar://', animation_url: page },
    { name: 'page', animation_url: page },
    { name: 'moving', animation_url: large },
    { name: 'largest', image: base64('image/svg+xml', drawing(780_000, 4)) },
  ]
  // The URIs of the last two tokens are images themselves.
  const pictures = [base64('image/svg+xml', drawing(350_000, 5)), markup]
  const uris = [...documents.map(asMetadata), ...pictures]
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const [holder] = anvil.accounts as [Address]
  const to = await anvil.deploy(emitter, [])
  for (const id of uris.keys()) {
    const logs = [transferLogs.erc721(zeroAddress, holder, BigInt(id))] as never
    await anvil.send({ to, abi: emitter.abi, functionName: 'emitLogs', args: [logs] })
  }
  await anvil.rpc('anvil_setCode', [to, uriCode(new Map(uris.map((uri, id) => [id, uri])))])
  await anvil.mine(10)
  await using server = await startTestServer({ rpc: [anvil.url], config: { metadata: { coolOffMs: 0 } } })
  await server.untilSynced(to, await anvil.blockNumber())
  await expect.poll(async () => (await server.page(to)).headers.get('x-index-metadata-progress')).toBe('1')

  const shown = async () => {
    const records = await server.walk(to, { media_items: true, normalizeMetadata: true })
    return (records as unknown as ShownRecord[]).toSorted((a, b) => Number(a.token_id) - Number(b.token_id))
  }
  await shown()
  const { db } = server.database
  const inTheMaking = () => db.rows("SELECT 1 FROM media WHERE status = 'processing'")
  await expect.poll(inTheMaking).toEqual([])
  const records = await shown()
  const drawn = ['success', 'image/svg+xml']
  const states = records.map(({ media }) => media && [media.status, media.mimetype])
  const isPage = ['unsupported_media', 'text/html']
  expect(states).toEqual([drawn, drawn, drawn, ['invalid_url', undefined], isPage, drawn, drawn, drawn, drawn])
  for (const [id, { token_uri, metadata, normalized_metadata, media }] of records.entries()) {
    expect(token_uri).toBe(uris[id])
    expect(metadata === null ? undefined : JSON.parse(metadata)).toEqual(documents[id])
    // A data: URI that is too long for a page is omitted, never cut.
    if (id !== 3) expect([normalized_metadata.image, normalized_metadata.animation_url]).toEqual([null, null])
    if (!media?.media_collection) continue
    const preview = await fetch(media.media_collection.high.url)
    expect(await colourAt(Buffer.from(await preview.arrayBuffer()), 0.5, 0.5)).toBe('red')
  }
  const svg = 'data:image/svg+xml;base64,'
  const originals = [svg, 'data:image/svg+xml;utf8,', svg, 'ar://', 'data:text/html;base64,', svg, svg, svg, svg]
  expect(records.map(({ media }) => media?.original_media_url)).toEqual(originals)

  const [kept] = await db.rows<[bigint, bigint, bigint]>(
    `SELECT (SELECT count(*) FROM media), (SELECT sum(octet_length(url) + octet_length(ready)) FROM media),
       (SELECT sum(octet_length(media_url) + octet_length(normalized)) FROM token_metadata)`,
  )
  const [previews, mediaBytes, metadataBytes] = kept!
  // Two pairs of tokens share an image.
  expect(previews).toBe(7n)
  expect(mediaBytes + metadataBytes).toBeLessThan(10_000n)
})
