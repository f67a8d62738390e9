// @module-tag system

import { readdirSync } from 'node:fs'
import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rememberSource } from '../../src/nft/media/mediaSource.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startImageHost } from '../imageHost.ts'
import { flag } from '../images.ts'
import { startTestServer } from '../mintmark.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

type Media = { status: string; parent_hash: string; media_collection: { low: { url: string } } }

test('default: a preview with missing or truncated files is generated again on request, also if its outcome is cached', async () => {
  const png = await flag(800, 600).png().toBuffer()
  await using anvil = await startAnvil()
  await using host = await startImageHost({
    images: (url) => ({ 0: `${url}/flag.png` }),
    files: { '/flag.png': { type: 'image/png', bytes: png } },
  })
  const contract = await anvil.deploy(plain721, ['Shown', 'SHW', `${host.url}/`])
  await anvil.send({
    ...{ to: contract, abi: plain721.abi, functionName: 'mintBatch' },
    args: [anvil.accounts[0]!, 0n, 1n],
  })
  const dataDir = await temporaryFolder()
  await using server = await startTestServer({
    rpc: [anvil.url],
    config: { dataDir, outbound: { allow: ['127.0.0.1'] }, metadata: { coolOffMs: 0 } },
  })
  await server.untilSynced(contract, await anvil.blockNumber())
  const media = async () => {
    const { body } = await server.page(contract, { media_items: true })
    return (body.result[0] as unknown as { media: Media | null }).media
  }
  await expect.poll(async () => (await media())?.status).toBe('success')
  const { parent_hash: hash, media_collection } = (await media())!
  const preview = await (await fetch(media_collection.low.url)).bytes()
  const { db } = server.database
  const [[mimetype, sizes] = ['', '']] = await db.rows<[string, string]>('SELECT mimetype, sizes FROM media')
  const known = {
    status: 'success',
    category: 'image',
    parentHash: hash,
    details: null,
    retryAt: null,
    mimetype,
    sizes,
  } as const

  const cutTo = (length: number) => (path: string) => truncate(path, length)
  for (const [lose, isRemembered] of [
    [rm, false],
    [cutTo(preview.length - 1), false],
    [cutTo(0), true],
  ] as const) {
    if (isRemembered) await rememberSource(db, Buffer.from(hash, 'hex'), known)
    for (const entry of readdirSync(join(dataDir, 'media'), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await lose(join(entry.parentPath, entry.name))
    const answer = await fetch(media_collection.low.url)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect((await media())?.status).toBe('success')
    await expect.poll(async () => (await fetch(media_collection.low.url)).status).toBe(200)
    expect(await (await fetch(media_collection.low.url)).bytes()).toEqual(preview)
  }
  expect((await fetch(`${server.url}/media/${'0'.repeat(64)}/low.webp`)).status).toBe(404)
})
