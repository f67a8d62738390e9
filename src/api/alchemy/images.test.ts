import { expect, test } from 'vitest'
import { byteText } from './records/byteText.ts'
import { imageTexts, namedTexts } from './records/images.ts'

const normalized = byteText({
  ...{ name: null, description: null, image: 'ipfs://a', external_link: null, external_url: null },
  ...{ animation_url: 'ipfs://film', attributes: [] },
})

const collection = (name: string) =>
  Object.fromEntries(['low', 'medium', 'high'].map((size) => [size, { width: 1, height: 2, url: `/${name}/${size}` }]))

function shown(media: object | null) {
  const { image, animation } = imageTexts(media && byteText(media), namedTexts(normalized))
  return { image: JSON.parse(image), animation: JSON.parse(animation) }
}

const none = { cachedUrl: null, thumbnailUrl: null, pngUrl: null, contentType: null, size: null }

test('default: an image and its animation each have their own content type and size', () => {
  const film = { status: 'success', original_media_url: 'ipfs://film', mimetype: 'video/mp4', category: 'video' }
  const media = { status: 'success', original_media_url: 'ipfs://a', mimetype: 'image/png', category: 'image' }
  const own = { media_collection: collection('image'), size: 12, duration: null }
  expect(
    shown({ ...media, ...own, animation: { ...film, media_collection: collection('film'), size: 34, duration: 2.5 } }),
  ).toEqual({
    image: {
      ...none,
      cachedUrl: '/image/high',
      thumbnailUrl: '/image/medium',
      contentType: 'image/png',
      size: 12,
      originalUrl: 'ipfs://a',
    },
    animation: {
      ...none,
      cachedUrl: '/film/high',
      thumbnailUrl: '/film/medium',
      contentType: 'video/mp4',
      size: 34,
      originalUrl: 'ipfs://film',
    },
  })
  expect(
    shown({ status: 'processing', original_media_url: 'ipfs://a', animation: { ...film, size: null, duration: 1 } }),
  ).toEqual({
    image: { ...none, originalUrl: 'ipfs://a' },
    animation: { ...none, contentType: 'video/mp4', originalUrl: 'ipfs://film' },
  })
  expect(shown(null)).toEqual({
    image: { ...none, originalUrl: 'ipfs://a' },
    animation: { ...none, originalUrl: 'ipfs://film' },
  })
})

test('behavior: media URLs that contain quotes and JSON field names are copied unchanged', () => {
  const url =
    'data:a,"animation":{"size":9,"duration":"mimetype":"x"\\\\","media_collection":{"high":{"url":"y"}}\u00e9'
  const media = { status: 'processing', original_media_url: url, updatedAt: '2026-01-01T00:00:00.000Z' }
  const { image, animation } = shown(media)
  expect(Buffer.from(image.originalUrl, 'latin1').toString()).toBe(url)
  expect([image.size, image.contentType, image.cachedUrl]).toEqual([null, null, null])
  expect(animation.originalUrl).toBe('ipfs://film')
})

test.each([',', '"', '"",', 'a",', 'a","b', 'a\\', 'a\\",', ''])(
  'behavior: the media URL %j is extracted exactly, without the text after it',
  (url) => {
    const animation = { status: 'invalid_url', original_media_url: url, updatedAt: null }
    const media = { status: 'invalid_url', original_media_url: url, updatedAt: null }
    expect(shown({ ...media, animation })).toEqual({
      image: { ...none, originalUrl: url },
      animation: { ...none, originalUrl: url },
    })
    expect(shown({ status: 'processing', original_media_url: url }).image.originalUrl).toBe(url)
  },
)
