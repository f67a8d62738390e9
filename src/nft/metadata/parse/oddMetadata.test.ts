import { expect, test } from 'vitest'
import { cpuMs } from '../../../../test/cpuMs.ts'
import { system } from '../../../../test/system.ts'
import { maxMetadataBytes } from '../../../util/metadataBounds.ts'
import { parseMetadata } from './parseMetadata.ts'

const bytesOf = (text: string) => Buffer.from(text, 'utf8')

/** Returns the value of a text that must be metadata. */
function value(text: string): Record<string, unknown> {
  const parsed = parseMetadata(bytesOf(text), null)
  if (!parsed.ok) throw new TypeError(parsed.reason)
  JSON.parse(parsed.text)
  expect(parsed.text.isWellFormed()).toBe(true)
  expect(parsed.text).not.toContain('\0')
  return parsed.value
}

const object = '{"name":"a", "n":12345678901234567890}'
const inBase64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['alone in a list', ` [ ${object} ]\n`],
  ['in a JSON string', JSON.stringify(object)],
  ['in a JSON string, in another', JSON.stringify(` ${JSON.stringify(object)} `)],
  ['alone in a list, in a JSON string', JSON.stringify(`[${object}]`)],
  ['in a data: URI', `data:application/json;base64,${inBase64(object)}`],
  ['in a data: URI, in another', `data:text/plain;base64,${inBase64(`data:application/json,${object}`)}`],
  ['in a data: URI, in a JSON string', `"data:application/json;base64,${inBase64(object)}"`],
  ['in bare base64', `${inBase64(object)}\n`],
  ['percent-encoded', encodeURIComponent(object)],
  ['before NUL', `${object}\0\0\0`],
  ['between NUL', `\0${object}\0`],
  ['behind byte order marks and spaces of no width', `\u200b \ufeff${object}\u200b`],
  ['before a comma', `${object},\n`],
  ['before a semicolon', `${object};`],
  ['before a brace too many', `${object}}`],
  ['before what is left of a buffer', `${object}\ufffd\x01ab`],
  ['before a comment of HTML', `${object}\n<!-- page served by "cache" {7} in 0.1 s -->\n`],
  ['behind comments of HTML', `<!-- it's --><!---->\n${object}`],
  ['behind a guard', `)]}',\n${object}`],
])('behavior: parses an object %s as the metadata', (_, text) => {
  expect(parseMetadata(bytesOf(text), null)).toEqual({
    ok: true,
    text: object,
    value: { name: 'a', n: '12345678901234567890' },
  })
})

test('behavior: NaN and infinities become null, except within strings', () => {
  const text = '{"a":NaN,"b":[-Infinity, Infinity],"NaN":"Infinity \\" NaN","c":1}'
  const parsed = parseMetadata(bytesOf(text), null)
  expect(parsed).toMatchObject({ text: '{"a":null,"b":[null, null],"NaN":"Infinity \\" NaN","c":1}' })
  expect(value(text)).toEqual({ a: null, b: [null, null], NaN: 'Infinity " NaN', c: 1 })
})

test('behavior: metadata inside a JSON string is made well-formed and free of NUL', () => {
  const string = String.raw`"{\"name\":\"x\ud800\",\"b\":\"\\u0000\"}\u0000"`
  expect(value(string)).toEqual({ name: 'x\ufffd', b: '\0' })
  expect(parseMetadata(bytesOf(String.raw`"{\"name\":\"\u0000\"}"`), null)).toMatchObject({ ok: false })
})

test('behavior: repairing adversarial text takes time linear in its length', system, () => {
  const parts = [
    'NaN',
    '"NaN',
    '<!--',
    '<!-- -->',
    '\0',
    ';',
    '{"',
    '[NaN,',
    '"\\',
    '\\',
    ")]}'",
    'data:,',
    '%7b',
    'data:;base64,',
  ]
  for (const part of parts)
    for (const [open, close] of [
      ['', ''],
      ['{"a":', '}'],
      ['{"a":"', '"};'],
    ] as const) {
      const text = open + part.repeat(Math.floor((maxMetadataBytes - 9) / part.length)) + close
      expect(
        cpuMs(() => parseMetadata(bytesOf(text), null)),
        `${open}${part}`,
      ).toBeLessThan(5_000)
    }
})
