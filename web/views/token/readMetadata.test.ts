import { expect, test } from 'vitest'
import { readMetadata } from './readMetadata.ts'

test('behavior: metadata is shown with all digits of its numbers, and text that is no JSON as received', () => {
  const text = '{"id":9007199254740993,"in":[1.10,-0,1e400,"9007199254740993"],"__proto__":{"a":null}}'
  expect(JSON.stringify(readMetadata(text))).toBe(text)
  expect(readMetadata('not JSON {')).toBe('not JSON {')
})
