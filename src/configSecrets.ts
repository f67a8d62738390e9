import type { Config } from './config.ts'
import { type Secret, secretsOfText, secretsOfUrl } from './util/secretsOfUrl.ts'

/** Settings that are keys as they stand, wherever they are. */
const keys = /(key|keyid|token|secret|password)$/i

/** Addresses that everybody may know. */
const known: ReadonlySet<string> = new Set(['publicUrl', 'origins'])

/** Everything in the configuration that nobody else may be told: keys, and of addresses all but the host. */
export function configSecrets(config: Config): Secret[] {
  return secretsWithin('', config)
}

function secretsWithin(name: string, value: unknown): Secret[] {
  if (typeof value === 'string') {
    if (keys.test(name)) return secretsOfText(value)
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? secretsOfUrl(value) : []
  }
  if (Array.isArray(value)) return value.flatMap((item) => secretsWithin(name, item))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (known.has(key) ? [] : secretsWithin(key, inner)))
}
