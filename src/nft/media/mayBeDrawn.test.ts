import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { flag, svg } from '../../../test/images.ts'
import { mayBeDrawn, mayBePlayed } from './fetchMedia.ts'

test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)('default: reads %s to its end', async (format) => {
  expect(mayBeDrawn(await flag(64, 64).toFormat(format).toBuffer())).toBe(true)
  const frames = [await flag(64, 64).png().toBuffer(), await flag(64, 64).negate().png().toBuffer()]
  const animated = sharp(frames, { join: { animated: true } })
  if (format === 'gif' || format === 'webp') expect(mayBeDrawn(await animated.toFormat(format).toBuffer())).toBe(true)
})

test('behavior: reads gzip to its end, as it may contain an SVG', () => {
  expect(mayBeDrawn(gzipSync(svg('')))).toBe(true)
})

test('behavior: reads text to its end, as the root of an SVG may come late', () => {
  for (const text of [svg(''), '\ufeff<?xml version="1.0"?>', `<!--${'-'.repeat(60_000)}`, 'whatever', 'ftypavif'])
    expect(mayBeDrawn(Buffer.from(text))).toBe(true)
})

test.each([
  ['MP4', '\0\0\0\x20ftypisom\0\0\x02\0'],
  ['QuickTime', '\0\0\0\x14ftypqt  \0\0\0\0'],
  ['HEIC, which is not drawn', '\0\0\0\x18ftypheic\0\0\0\0'],
  ['WebM', '\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x86\x81\x01'],
  ['AVI', 'RIFF\x24\0\0\0AVI LIST'],
  ['MP3 with a tag', 'ID3\x03\0\0\0\0\0\0\xff\xfb\x90\x44'],
  ['Ogg', 'OggS\0\x02\0\0\0\0'],
  ['glTF', 'glTF\x02\0\0\0'],
  ['ZIP', 'PK\x03\x04\x14\0\0\0'],
])('behavior: does not read %s to its end', (_, start) => {
  expect(mayBeDrawn(Buffer.from(start, 'latin1'))).toBe(false)
})

test.each([
  ['MP4', '\0\0\0\x20ftypisom\0\0\x02\0'],
  ['WebM', '\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x86\x81\x01'],
  ['MP3 with a tag', 'ID3\x03\0\0\0\0\0\0\xff\xfb\x90\x44'],
  ['MP3 without', '\xff\xfb\x90\x44'],
  ['Ogg', 'OggS\0\x02\0\0\0\0'],
  ['FLAC', 'fLaC\0\0\0\x22'],
  ['WAVE', 'RIFF\x24\0\0\0WAVEfmt '],
  ['GIF', 'GIF89a'],
])('default: reads %s to its end to play it', (_, start) => {
  expect(mayBePlayed(Buffer.from(start, 'latin1'))).toBe(true)
})

test.each([
  ['HTML', '<!doctype html>'],
  ['SVG', '<svg xmlns="http'],
  ['JPEG', '\xff\xd8\xff\xe0'],
  ['glTF', 'glTF\x02\0\0\0'],
  ['ZIP', 'PK\x03\x04\x14\0\0\0'],
  ['AVI, which browsers do not play', 'RIFF\x24\0\0\0AVI LIST'],
])('behavior: does not read %s to its end to play it', (_, start) => {
  expect(mayBePlayed(Buffer.from(start, 'latin1'))).toBe(false)
})
