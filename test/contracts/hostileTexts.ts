import type { Hex } from '../../src/util/hex.ts'

const text = (value: string): Hex => `0x${Buffer.from(value, 'utf8').toString('hex')}`

/** Bytes that a contract may return as its name, symbol or URI. */
export const hostileTexts = {
  nul: text('before\0after'),
  /** Invalid UTF-8: a lone continuation byte, an overlong slash, a surrogate half, a byte that never occurs. */
  brokenUtf8: '0x41808080c0afeda080ff42',
  markup: text(`<script>alert('name')</script>"><img src=x onerror=alert(1)>`),
  sql: text(`'; DROP TABLE token; --`),
  control: text('\u001b[31mred\u0007\r\n\t\u202egnp.exe\u2066'),
  /** Letters with many combining marks, and a letter of two UTF-16 units. */
  unicode: text(`Z\u0335\u0321a\u0334\u0322 \u{1f984} \u4e2d\u6587`),
  empty: '0x',
} as const satisfies Record<string, Hex>
