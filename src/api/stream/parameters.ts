import { parseDate } from '../http/dateParameter.ts'
import { parameter } from '../http/parameters.ts'

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function uuid(options: { description: string }) {
  return parameter({
    description: options.description,
    allowed: 'a UUID',
    schema: { type: 'string', format: 'uuid' },
    parse: (text) => (pattern.test(text) ? text.toLowerCase() : undefined),
  })
}

/** A moment, in the formats of `date`. */
export function instant(options: { description: string }) {
  return parameter({
    description: options.description,
    allowed:
      'a time in ISO 8601, such as 2026-01-31T12:00:00Z, or in seconds (10 digits) or milliseconds (13) since 1970',
    schema: { type: 'string', format: 'date-time' },
    parse(text) {
      const ms = parseDate(text)
      return ms === undefined ? undefined : new Date(ms)
    },
  })
}

export function blockNumber(options: { description: string }) {
  return parameter({
    description: options.description,
    allowed: 'a block number of at most 18 decimal digits',
    schema: { type: 'string', pattern: '^[0-9]{1,18}$' },
    parse: (text) => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined),
  })
}

export function chainIdHex(options: { description: string }) {
  return parameter({
    description: options.description,
    allowed: 'a chain id in hex, such as 0x1',
    // Up to 2^63 - 1, the highest id of a configured chain.
    schema: { type: 'string', pattern: '^0x[0-7]?[0-9a-fA-F]{1,15}$' },
    parse: (text) => (/^0x[0-7]?[0-9a-f]{1,15}$/i.test(text) ? BigInt(text.toLowerCase()) : undefined),
  })
}
