import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createS3Store, type S3Settings } from '../../src/nft/media/blobs/createS3Store.ts'
import { previewKey } from '../../src/nft/media/blobs/previewStore.ts'

/**
 * `media.s3` of a real server as JSON. Its key must read and write the bucket. Without it, the tests are skipped,
 * because no package that tests can install contains a server. Ceph's radosgw on this machine is suitable.
 */
// biome-ignore lint/style/noProcessEnv: no server of the tests' own
const settings = process.env.MINTMARK_TEST_S3
const given = settings === undefined ? undefined : (JSON.parse(settings) as S3Settings)

function open(changes: Partial<S3Settings> = {}) {
  const store = createS3Store({ ...given!, ...changes }, { retryDelayMs: 1 })
  onTestFinished(() => store.close())
  return store
}

const freshKey = () => previewKey(randomBytes(32).toString('hex'), 'low')

test.skipIf(!given)(
  'default: a real S3 server (MINTMARK_TEST_S3) stores objects of every size below any prefix',
  async () => {
    for (const prefix of ['', 'a-b_c.d', '/a//b/']) {
      const store = open({ prefix })
      for (const bytes of [randomBytes(1), randomBytes(7_000_000)]) {
        const key = freshKey()
        expect(await store.get(key)).toBeUndefined()
        await store.put(key, bytes, 'image/webp')
        const found = await store.get(key)
        expect([found?.contentType, found?.bytes.equals(bytes)]).toEqual(['image/webp', true])
      }
    }
  },
)

test.skipIf(!given)('error: a real S3 server (MINTMARK_TEST_S3) rejects a wrong secret, key and bucket', async () => {
  for (const [changes, expected] of [
    [{ secretAccessKey: 'wrong' }, '403 SignatureDoesNotMatch'],
    [{ accessKeyId: 'nobody' }, '403 InvalidAccessKeyId'],
    [{ bucket: 'mintmark-has-no-such-bucket' }, '404 NoSuchBucket'],
  ] as const) {
    await expect(open(changes).get(freshKey())).rejects.toThrow(expected)
    await expect(open(changes).put(freshKey(), Buffer.from('x'), 'image/webp')).rejects.toThrow(expected)
  }
})
