import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cpuMs } from '../../../../test/cpuMs.ts'
import { jsonNesting } from '../../../util/jsonNesting.ts'
import { maxMetadataBytes } from '../../../util/metadataBounds.ts'
import { parseMetadata } from './parseMetadata.ts'

const bytesOf = (text: string) => Buffer.from(text, 'utf8')

/** Returns the value of a body that must be metadata. */
function value(bytes: Uint8Array, contentType: string | null = 'application/json'): Record<string, unknown> {
  const parsed = parseMetadata(bytes, contentType)
  if (!parsed.ok) throw new TypeError(parsed.reason)
  // The stored text can always be parsed.
  JSON.parse(parsed.text)
  expect(parsed.text.isWellFormed()).toBe(true)
  expect(parsed.text).not.toContain('\0')
  return parsed.value
}

test('default: the text is kept unchanged', () => {
  const text = ' {"name" : "a",\r\n "n": 1.0, "n": 2e0}\n'
  expect(parseMetadata(bytesOf(text), 'application/json')).toEqual({ ok: true, text, value: { name: 'a', n: 2 } })
})

test.each([null, '', 'text/html', 'image/png', 'application/octet-stream', ';;;', 'x'.repeat(5000)])(
  'behavior: an object is metadata regardless of its content type (%.20s)',
  (contentType) => expect(value(bytesOf('{"name":"a"}'), contentType)).toEqual({ name: 'a' }),
)

test.each([
  ['UTF-8 with a byte order mark', Buffer.from([0xef, 0xbb, 0xbf, ...bytesOf('{"name":"é"}')]), null],
  ['two byte order marks', bytesOf('\ufeff\ufeff{"name":"é"}'), null],
  ['UTF-16 LE', Buffer.from('\ufeff{"name":"é"}', 'utf16le'), null],
  ['UTF-16 BE', Buffer.from('\ufeff{"name":"é"}', 'utf16le').swap16(), 'application/json;charset=utf-8'],
  ['latin1, declared', Buffer.from('{"name":"é"}', 'latin1'), 'application/json; charset="ISO-8859-1"'],
  ['latin1, not declared', Buffer.from('{"name":"é"}', 'latin1'), null],
  ['latin1, declared as UTF-8', Buffer.from('{"name":"é"}', 'latin1'), 'application/json;charset=utf-8'],
  ['UTF-8, declared as ASCII', bytesOf('{"name":"é"}'), 'text/plain;charset=us-ascii'],
  ['UTF-8, declared as something unknown', bytesOf('{"name":"é"}'), 'application/json;charset=klingon'],
])('behavior: decodes %s', (_, bytes, contentType) => {
  expect(value(bytes, contentType)).toEqual({ name: 'é' })
  const parsed = parseMetadata(bytes, contentType)
  expect(parsed.ok && parsed.text).toBe('{"name":"é"}')
})

test('behavior: truncated UTF-8 keeps its other characters', () => {
  const bytes = Buffer.concat([bytesOf('{"a":"é","b":"'), Buffer.from([0xf0, 0x9f]), bytesOf('"}')])
  expect(value(bytes)).toEqual({ a: 'é', b: '\ufffd' })
})

test('behavior: U+FFFD encoded as UTF-8 is kept', () => {
  expect(value(bytesOf('{"a":"\ufffd"}')).a).toBe('\ufffd')
})

test('behavior: surrogates encoded one by one become U+FFFD', () => {
  const bytes = Buffer.concat([bytesOf('{"a":"é'), Buffer.from([0xed, 0xa0, 0x80]), bytesOf('"}')])
  expect(value(bytes).a).toBe('é\ufffd\ufffd\ufffd')
})

test.each([
  ['{"a":"x\ny"}', String.raw`{"a":"x\ny"}`],
  ['{\n\t"a" : "x\r\ny\tz",\r\n "b":"\x01\x1f"}', '{\n\t"a" : "x\\r\\ny\\tz",\r\n "b":"\\u0001\\u001f"}'],
  ['{"a":"say \\"hi\\"\n","b\n":"\\\\"}', String.raw`{"a":"say \"hi\"\n","b\n":"\\"}`],
  ['{"a":"one\\\ntwo"}', String.raw`{"a":"one\ntwo"}`],
  ['{"a":"\n","n":12345678901234567890}', String.raw`{"a":"\n","n":12345678901234567890}`],
])('behavior: escapes raw control characters in strings and changes nothing else: %j', (text, expected) => {
  expect(parseMetadata(bytesOf(text), null)).toMatchObject({ ok: true, text: expected })
  value(bytesOf(text))
})

test('behavior: escaping control characters keeps the intended text, in linear time', () => {
  const written = fc.string({ unit: fc.constantFrom('\n', '\t', '"', '\\', 'x', 'n') })
  // No key holds a backslash: after one that ends in it, JSON.parse of V8 13.6 can take the escape in the key of other metadata for the
  // key's own text ("n\t" becomes "n\", one letter and a backslash).
  const key = fc.string({ unit: fc.constantFrom('\n', '\t', '"', 'x', 'n') })
  fc.assert(
    fc.property(fc.dictionary(key, written), (object) => {
      const raw = JSON.stringify(object).replaceAll(/\\(.)/g, (match, letter) =>
        letter === 'n' ? '\n' : letter === 't' ? '\t' : match,
      )
      expect(value(bytesOf(raw))).toEqual(object)
    }),
    { numRuns: 300 },
  )
  for (const hostile of ['\n', '\\\n', '"\n"', '\\', '"\n']) {
    const text = `{"a":"${hostile.repeat(maxMetadataBytes / 4)}`
    expect(cpuMs(() => parseMetadata(bytesOf(text), null))).toBeLessThan(5_000)
  }
})

test('behavior: NUL and lone surrogates stay escaped in the text', () => {
  const text = String.raw`{"a":"x\u0000y","b":"\ud800","c":"\udc00\ud800"}`
  const parsed = parseMetadata(bytesOf(text), null)
  expect(parsed).toMatchObject({ ok: true, text })
})

test('behavior: numbers keep digits that a double would lose', () => {
  const big = (2n ** 256n - 1n).toString()
  const text = `{"a":${big},"b":-9007199254740993,"c":1e400,"d":-1e999,"e":9007199254740991,"f":0.1000000000000000055,"g":1e21,"h":[1],"i":"1e400","j":-9007199254740992}`
  expect(value(bytesOf(text))).toEqual({
    a: big,
    b: '-9007199254740993',
    c: '1e400',
    d: '-1e999',
    e: 9007199254740991,
    f: 0.1,
    g: 1e21,
    h: [1],
    i: '1e400',
    j: -9007199254740992,
  })
})

test('behavior: __proto__ is a key like any other and changes no prototype', () => {
  for (const tail of ['', ',"n":12345678901234567890']) {
    const parsed = value(bytesOf(`{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}${tail}}`))
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
    expect(Object.keys(parsed)).toContain('__proto__')
    expect('polluted' in {}).toBe(false)
  }
})

test('behavior: the last of duplicate keys counts, and the text keeps all of them', () => {
  const text = '{"name":"a","name":"b"}'
  expect(parseMetadata(bytesOf(text), null)).toEqual({ ok: true, text, value: { name: 'b' } })
})

test('behavior: accepts metadata of the maximum size, and 64 levels deep', () => {
  const deep = `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`
  expect(value(bytesOf(deep))).toHaveProperty('a')
  const large = `{"a":"${'x'.repeat(maxMetadataBytes - 8)}"}`
  expect(value(bytesOf(large)).a).toHaveLength(maxMetadataBytes - 8)
})

/** Returns an object nested in `times` JSON strings. */
function wrapped(times: number): string {
  let text = '{"name":"a"}'
  for (let i = 0; i < times; i++) text = JSON.stringify(text)
  return text
}

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
const rejected: [string, Uint8Array | string, string | null, RegExp][] = [
  ['nothing', '', null, /^empty body$/],
  ['white space', ' \n\t', null, /^empty body$/],
  ['a byte order mark', '\ufeff', null, /^empty body$/],
  ['one byte too many', `{"a":"${'x'.repeat(maxMetadataBytes)}"}`, null, /1048584 bytes, at most 1048576/],
  ['an array', '[]', null, /^JSON array, not an object$/],
  ['a number', '7', null, /^JSON number/],
  ['a number beyond all bounds', '1e999', null, /^JSON string/],
  ['a string', '"x"', null, /^JSON string/],
  ['null', 'null', null, /^JSON null/],
  ['a boolean', 'true', null, /^JSON boolean/],
  ['65 levels', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, null, /nested deeper than 64/],
  ['half a million arrays', '['.repeat(500_000), null, /nested deeper than 64/],
  ['a hundred thousand objects', '{"a":'.repeat(100_000), null, /nested deeper than 64/],
  ['single quotes', "{'name':'a'}", null, /^invalid JSON: /],
  ['a trailing comma', '{"name":"a",}', null, /^invalid JSON: /],
  ['a comment', '{"name":"a"/* */}', null, /^invalid JSON: /],
  ['a word in place of a value', '{"a":NaNo}', null, /^invalid JSON: /],
  ['NaN alone', 'NaN', null, /^JSON null/],
  ['a cut text', '{"name":"a', null, /^invalid JSON: /],
  ['two documents', '{"a":1}{"b":2}', null, /^invalid JSON: /],
  ['a raw NUL in a string', '{"a":"\0"}', null, /^invalid JSON: /],
  ['a raw NUL after a backslash', '{"a":"\n\\\0"}', null, /^invalid JSON: /],
  ['a list of two', '[{"name":"a"},{"name":"b"}]', null, /^JSON array/],
  ['a list in a list', '[[{"name":"a"}]]', null, /^JSON array/],
  ['five JSON strings around an object', wrapped(5), null, /^JSON string/],
  ['a JSON string that is cut', JSON.stringify('{"name":"a'), null, /^JSON string/],
  ['a deep document in a JSON string', JSON.stringify(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`), null, /^JSON string/],
  [
    'a deep document behind a comment with a quote',
    `<!-- " -->${'{"a":'.repeat(65)}1${'}'.repeat(65)}`,
    null,
    /markup/,
  ],
  ['a data: URI of something else', 'data:text/plain,hello', null, /^invalid JSON: /],
  ['a long text behind the end', `{"a":1} and a whole sentence`, null, /^invalid JSON: /],
  ['a text before the beginning', 'Warning: {"a":1}', null, /^invalid JSON: /],
  ['more padding than is meant', `${'\0'.repeat(1_001)}{"a":1}`, null, /^invalid JSON: /],
  ['a comment without an end', '<!-- {"a":1}', null, /^no JSON but markup$/],
  ['a raw line end outside of strings, by its escape', '{"a":\\n1}', null, /^invalid JSON: /],
  ['a raw line end in a cut string', '{"a":"x\ny', null, /^invalid JSON: /],
  ['a raw line end in a string with a trailing comma', '{"a":"\n",}', null, /^invalid JSON: /],
  ['plain text', 'Not Found', 'text/plain', /^invalid JSON: /],
  ['a page', '<!DOCTYPE html><html><title>404</title>', 'application/json', /^no JSON but an HTML page$/],
  ['a page after white space', '\n  <HTML lang="en">', null, /an HTML page/],
  ['an S3 error', '<Error><Code>AccessDenied</Code></Error>', null, /markup/],
  ['an SVG', '<svg xmlns="x"></svg>', null, /an image \(image\/svg\+xml\)/],
  ['an SVG with prologue', '<?xml version="1.0"?>\n<!-- x --><svg>', null, /an image \(image\/svg\+xml\)/],
  ['a PNG', png, 'application/json', /an image \(image\/png\)/],
  ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), null, /an image \(image\/jpeg\)/],
  ['a GIF', 'GIF89a', null, /an image \(image\/gif\)/],
  ['a WebP', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), null, /an image \(image\/webp\)/],
  ['an AVIF', Buffer.from('\0\0\0\x1cftypavif', 'latin1'), null, /an image \(image\/avif\)/],
  ['an MP4', Buffer.from('\0\0\0\x1cftypisom', 'latin1'), null, /a video \(video\/mp4\)/],
  ['an image by its type only', Buffer.from([1, 2, 3]), 'image/x-icon', /media \(image\/x-icon\)/],
  ['gzip that nobody declared', Buffer.from([0x1f, 0x8b, 8, 0]), null, /gzip/],
  ['a PDF', '%PDF-1.7', null, /PDF/],
]

test.each(rejected)('error: %s is not metadata', (_, body, contentType, reason) => {
  const parsed = parseMetadata(typeof body === 'string' ? bytesOf(body) : body, contentType)
  expect(parsed).toMatchObject({ ok: false, reason: expect.stringMatching(reason) })
  if (parsed.ok) return
  expect(parsed.reason.length).toBeLessThanOrEqual(300)
  expect(parsed.reason).not.toContain('\0')
})

test('behavior: never throws, and the stored text parses to the value', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.option(fc.string()), (bytes, contentType) => {
      const parsed = parseMetadata(bytes, contentType)
      if (parsed.ok) JSON.parse(parsed.text)
    }),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 5 })), (object) => {
      const text = JSON.stringify(object)
      expect(value(bytesOf(text))).toEqual(JSON.parse(text))
    }),
    { numRuns: 500 },
  )
})

test('behavior: braces in strings do not count as depth', () => {
  expect(jsonNesting(String.raw`{"[[[[":"\"[[[[\\","b":[{}]}`, 64).deepest).toBe(3)
  expect(jsonNesting('"unclosed [[[[', 64).deepest).toBe(0)
  expect(jsonNesting('['.repeat(100), 64).deepest).toBe(65)
})
