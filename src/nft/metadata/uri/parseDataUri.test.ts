import { expect, test } from 'vitest'
import { resolveUri } from './resolveUri.ts'

test.each([
  ['data:application/json{"name":"a","b":[1,2]}', 'application/json', '{"name":"a","b":[1,2]}'],
  ['data:application/json;utf8{"name":"a"}', 'application/json', '{"name":"a"}'],
  ['data:application/json;base64eyJuYW1lIjoiYSJ9', 'application/json', '{"name":"a"}'],
  ['data:image/svg+xml<svg viewBox="0,0,1,1"/>', 'image/svg+xml', '<svg viewBox="0,0,1,1"/>'],
  ['<!-- made by hand --><svg/>', 'image/svg+xml', '<!-- made by hand --><svg/>'],
  ['<!DOCTYPE svg><svg/>', 'image/svg+xml', '<!DOCTYPE svg><svg/>'],
])('behavior: %s is parsed although it lacks a comma or starts with a prolog', (text, mediaType, bytes) => {
  expect(resolveUri(text, 1n)).toMatchObject({ kind: 'inline', mediaType, bytes: Buffer.from(bytes) })
})
