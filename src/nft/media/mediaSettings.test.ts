import { expect, test } from 'vitest'
import { parseConfig } from '../../config/config.ts'
import { noopLog } from '../../util/log.ts'
import { createPreviewStore } from './blobs/createPreviewStore.ts'

const s3 = { endpoint: 'https://s3.example.com', bucket: 'previews', accessKeyId: 'id', secretAccessKey: 'secret' }

test('default: previews are files below dataDir, drawn by two workers', () => {
  expect(parseConfig({}).media).toMatchObject({ store: 'files', s3: null, workers: 2 })
})

test('default: accepts an S3 bucket with default settings', async () => {
  const { dataDir, media } = parseConfig({ media: { store: 's3', s3 } })
  expect(media.s3).toEqual({ ...s3, region: 'us-east-1', prefix: '', pathStyle: true })
  await createPreviewStore({ dataDir, ...media, log: noopLog }).close()
})

test('error: rejects the store s3 without a bucket', () => {
  expect(() => parseConfig({ media: { store: 's3' } })).toThrow(
    'media.s3 is missing; allowed: a bucket with its keys, as media.store is "s3"',
  )
})

test('error: reports every error in the S3 settings', () => {
  const media = { store: 's3', s3: { ...s3, endpoint: 'ftp://x', bucket: 'a/b', prefix: 'a/../b' } } as const
  expect(() => parseConfig({ media })).toThrow(/s3\.endpoint.*s3\.bucket.*s3\.prefix/s)
})
