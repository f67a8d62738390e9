import { expect, test } from 'vitest'
import { categoryOf, classifyMedia } from './classifyMedia.ts'
import { mediaOf } from './mediaOf.ts'

test.each([
  ['https://host/a.png', 'image', 'image/png'],
  ['https://host/a.JPG?x=1.mp4#b.mp3', 'image', 'image/jpeg'],
  ['ipfs://Qm/a.mp4', 'video', 'video/mp4'],
  ['https://host/a.mp3', 'audio', 'audio/mpeg'],
  ['https://host/a.glb', 'model', 'model/gltf-binary'],
  ['https://host/a.html', 'html', 'text/html'],
  ['ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq', 'unknown', null],
  ['https://host.png.example/a', 'unknown', null],
  ['https://host/a.constructor', 'unknown', null],
  ['DATA:image/SVG+xml;base64,AAAA', 'image', 'image/svg+xml'],
  ['data:text/html,<b>', 'html', 'text/html'],
  ['data:application/pdf,x', 'unknown', 'application/pdf'],
  ['data:;base64,AA', 'unknown', null],
  ['data:', 'unknown', null],
  ['', 'unknown', null],
])('behavior: %s seems to be %s', (url, category, mimetype) => {
  expect(classifyMedia(url)).toEqual({ category, mimetype })
})

test('behavior: the category of a type', () => {
  expect(categoryOf('image/avif')).toBe('image')
  expect(categoryOf('application/octet-stream')).toBe('unknown')
  expect(categoryOf('')).toBe('unknown')
})

test.each([
  ['a.png', 'b.mp4', 'a.png'],
  ['a', 'b.png', 'a'],
  ['a.mp4', 'b.gif', 'b.gif'],
  ['a.mp4', 'b.mp4', 'a.mp4'],
  ['a.mp4', null, 'a.mp4'],
  [null, 'b.png', 'b.png'],
  [null, 'b.mp4', 'b.mp4'],
  [null, null, undefined],
])('default: of image %s and animation %s, %s is shown', (image, animation_url, url) => {
  expect(mediaOf({ image, animation_url })?.url).toBe(url)
})
