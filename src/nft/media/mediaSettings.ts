import { z } from 'zod'
import { allowing, wholeFrom } from '../../util/allowed.ts'
import { httpUrl } from '../../util/urls/endpointUrls.ts'

const s3 = z.strictObject({
  endpoint: httpUrl
    .refine(
      (url) => !url.includes('@'),
      'must have no user and no password: accessKeyId and secretAccessKey sign requests',
    )
    .describe('URL of the store, such as https://s3.eu-central-1.amazonaws.com.'),
  region: z.string().min(1).default('us-east-1').describe('Region for signing requests.'),
  bucket: allowing(
    'the name of a bucket, 2 to 63 letters, digits, ".", "_" and "-"',
    z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/),
  ).describe('Name of an existing bucket.'),
  prefix: allowing(
    'at most 200 letters, digits, "_", "-", "/" and single "."',
    z.string().regex(/^(?!.*\.\.)[A-Za-z0-9._/-]{0,200}$/),
  )
    .default('')
    .describe('Folder in the bucket.'),
  accessKeyId: z.string().min(1).describe('Key that may read and write objects of the bucket.'),
  secretAccessKey: z.string().min(1).describe('Secret of accessKeyId.'),
  pathStyle: z.boolean().default(true).describe('true: path-style addresses; false: the bucket is a subdomain.'),
})

export const mediaSettings = z
  .strictObject({
    store: z.enum(['files', 's3']).default('files').describe('Storage of preview images: below dataDir, or in `s3`.'),
    s3: s3.nullable().default(null).describe('Bucket of an S3-compatible store; required if `media.store` is s3.'),
    maxStoredBytes: wholeFrom(1_048_576)
      .nullable()
      .default(10_737_418_240)
      .describe(
        'Disk limit for preview images and kept files below dataDir, in bytes. The server deletes the least recently requested ones, and makes or fetches them again on request. null: no limit. It does not apply to a bucket (`media.store` s3).',
      ),
    maxPixels: wholeFrom(10_000, 1_000_000_000).default(50_000_000).describe('Maximum pixels of a source image.'),
    maxBytes: wholeFrom(1_024, 1_073_741_824).default(20_971_520).describe('Maximum size of a source file, in bytes.'),
    timeoutMs: wholeFrom(100, 600_000)
      .default(10_000)
      .describe('Time limit for the preview images of one source, in milliseconds.'),
    memoryBytes: wholeFrom(134_217_728, 17_179_869_184)
      .default(805_306_368)
      .describe('Memory limit of one preview worker, in bytes. The server kills a worker beyond it.'),
    ffmpeg: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Path of ffmpeg, which draws a frame of a video, such as `/usr/bin/ffmpeg`. Preview workers run it, within their limits of time and memory. null: videos have no preview image.',
      ),
    workers: wholeFrom(1, 64).default(2).describe('Number of preview workers (processes), started on demand.'),
  })
  .refine(({ store, s3 }) => store !== 's3' || s3 !== null, {
    path: ['s3'],
    error: 'is missing; allowed: a bucket with its keys, as media.store is "s3"',
  })
