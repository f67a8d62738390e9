import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

export const red = { r: 255, g: 0, b: 0 }
export const lime = { r: 0, g: 255, b: 0 }
export const blue = { r: 0, g: 0, b: 255 }

export type Colour = 'red' | 'lime' | 'blue' | 'none' | 'other'

/** Left half red, right half blue, with a lime square in the top left corner. It reveals any rotation or mirroring. */
export function flag(width = 800, height = 600): Sharp {
  const half = { width: width >> 1, height, channels: 3, background: red } as const
  const corner = { width: width >> 2, height: height >> 2, channels: 3, background: lime } as const
  return sharp({ create: { width, height, channels: 3, background: blue } }).composite([
    { input: { create: half }, gravity: 'northwest' },
    { input: { create: corner }, gravity: 'northwest' },
  ])
}

export function plain(width: number, height: number, background: typeof red = red): Sharp {
  return sharp({ create: { width, height, channels: 3, background }, limitInputPixels: false })
}

/** Colour of the pixel at these fractions of width and height. */
export async function colourAt(bytes: Buffer, x: number, y: number): Promise<Colour> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * 4
  const [r = 0, g = 0, b = 0, alpha = 0] = data.subarray(at, at + 4)
  if (alpha < 30) return 'none'
  if (r > 180 && g < 80 && b < 80) return 'red'
  if (r < 120 && g > 150 && b < 120) return 'lime'
  return r < 100 && g < 100 && b > 120 ? 'blue' : 'other'
}

/** A PNG whose header claims any size. Its checksums are right, but it has the pixels of only one row. */
export function claimingPng(width: number, height: number): Buffer {
  return greyPng(width, height, 1)
}

/** A PNG of black pixels, one bit each: 30,000 × 30,000 of them are 0.1 MB. */
export function bombPng(side: number): Buffer {
  return greyPng(side, side, side)
}

function greyPng(width: number, height: number, rows: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.alloc(rows * (1 + Math.ceil(width / 8))))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

/** The same PNG as an animation of one frame; readers of still images see no difference. */
export function animatedPng(png: Buffer): Buffer {
  const headerEnd = 33
  const control = chunk('acTL', Buffer.from('0000000100000000', 'hex'))
  return Buffer.concat([png.subarray(0, headerEnd), control, png.subarray(headerEnd)])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export function svg(content: string, attributes = 'width="100" height="100"'): Buffer {
  const names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
  return Buffer.from(`<svg ${names} xmlns:xi="http://www.w3.org/2001/XInclude" ${attributes}>${content}</svg>`)
}

/** An SVG that takes a second or two to draw. */
export const heavySvg = svg(
  `<defs><rect id="u0" width="1" height="1"/>${Array.from(
    { length: 5 },
    (_, i) => `<g id="u${i + 1}">${`<use href="#u${i}"/>`.repeat(10)}</g>`,
  ).join('')}</defs><use href="#u5"/>`,
)

/** An SVG that takes seconds to draw. Nested uses multiply one rectangle by ten per level, up to the library's own limit of elements. */
export const slowSvg = svg(
  `<defs><rect id="u0" width="1" height="1"/>${Array.from(
    { length: 12 },
    (_, i) => `<g id="u${i + 1}">${`<use href="#u${i}"/>`.repeat(10)}</g>`,
  ).join('')}</defs><use href="#u12"/>`,
)

/** An SVG that keeps a renderer busy for minutes, but stays within all limits of the library. Each `seed` yields other bytes. */
export function endlessSvg(seed = 0): Buffer {
  const noise = '<feTurbulence baseFrequency="0.05" numOctaves="9"/>'.repeat(20)
  const drawn = '<rect width="100" height="100" filter="url(#f)"/>'.repeat(400)
  return svg(`<desc>${seed}</desc><filter id="f">${noise}</filter>${drawn}`)
}
