import { expect, test } from 'vitest'
import { normalizeMetadata } from './normalizeMetadata.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
const dataUri = (markup: string) => `data:image/svg+xml;base64,${Buffer.from(markup).toString('base64')}`
const svgUri = dataUri(svg)
/** A PNG of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test.each([
  [{ image: 'a', image_url: 'b' }, 'a'],
  [{ image: '', image_url: 'b' }, 'b'],
  [{ image: null, imageUrl: 'b' }, 'b'],
  [{ imageURL: 'b' }, 'b'],
  [{ image_data: svg }, svgUri],
  [{ image: svg }, svgUri],
  [{ image_data: `<!-- drawn -->\n${svg}` }, dataUri(`<!-- drawn -->\n${svg}`)],
  [{ image_data: `<!DOCTYPE svg>${svg}` }, dataUri(`<!DOCTYPE svg>${svg}`)],
  [{ image_data: Buffer.from(svg).toString('base64') }, svgUri],
  [{ image_data: Buffer.from(`<!-- drawn -->${svg}`).toString('base64') }, dataUri(`<!-- drawn -->${svg}`)],
  [{ image_data: png }, `data:image/png;base64,${png}`],
  [{ image: 'PHN2Zy-is-no-picture' }, 'PHN2Zy-is-no-picture'],
  [{ image: 'a', image_data: svg }, 'a'],
  [{ image_data: svgUri }, svgUri],
  [{ image: { url: 'a' } }, 'a'],
  [{ image: { type: 'string', description: 'a' } }, 'a'],
  [{ image: ['a', 'b'] }, 'a'],
  [{ properties: { image: { type: 'string', description: 'a' } } }, 'a'],
  [{ properties: { image: 'a' } }, 'a'],
  [{ image: ' https://host/a \n' }, 'https://host/a'],
  [{ image: 'https://host/\0a' }, 'https://host/a'],
  [{ image: 'javascript:alert(1)', image_url: 'b' }, 'b'],
  [{ image: ' JAVA\tSCRIPT:alert(1)' }, null],
  [{ image: `${'\x01'.repeat(500)}javascript:alert(1)` }, null],
  [{ image: 'vbscript:x' }, null],
  [{ image: 7 }, null],
  [{ image: { url: { url: { url: 'a' } } } }, null],
  [{ image: 'x'.repeat(8192) }, 'x'.repeat(8192)],
  [{ image: 'x'.repeat(8193) }, null],
  [{ image: `data:image/png;base64,${'A'.repeat(99_978)}` }, `data:image/png;base64,${'A'.repeat(99_978)}`],
  [{ image: `data:image/png;base64,${'A'.repeat(99_979)}` }, null],
  [{ image_data: `<svg>${' '.repeat(80_000)}</svg>` }, null],
  [{ image: `data:image/png,${'A'.repeat(100_000)}`, image_url: 'b' }, 'b'],
  [JSON.parse('{"__proto__":{"image":"evil"}}'), null],
])('behavior: reads the image of %.60j', (metadata, image) => {
  expect(normalizeMetadata(metadata).image).toBe(image)
})
