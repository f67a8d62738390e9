import { z } from 'zod'
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

/** ISO 8601, or Unix time in ten digits (seconds) or thirteen (milliseconds). So 20260131 is not taken for a time. */
export function instant(options: { description: string }) {
  return parameter({
    description: options.description,
    allowed:
      'a time in ISO 8601, such as 2026-01-31T12:00:00Z, or in seconds (10 digits) or milliseconds (13) since 1970',
    schema: { type: 'string', format: 'date-time' },
    parse(text) {
      const digits = /^(\d{10}|\d{13})$/.test(text)
      const form = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/
      if (!digits && !(form.test(text) && z.iso.date().safeParse(text.slice(0, 10)).success)) return undefined
      // A time without a zone is UTC, whatever the server's zone.
      const ms = digits ? Number(text) * (text.length > 10 ? 1 : 1_000) : Date.parse(inUtc(text))
      return Number.isNaN(ms) ? undefined : new Date(ms)
    },
  })
}

function inUtc(text: string): string {
  return /T|\s/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text
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
    schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{1,15}$' },
    parse: (text) => (/^0x[0-9a-f]{1,15}$/i.test(text) ? BigInt(text.toLowerCase()) : undefined),
  })
}
