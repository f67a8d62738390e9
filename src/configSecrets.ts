import { knownChains } from './chain/evm/chains.ts'
import type { Config } from './config.ts'
import { type Secret, secretsOfText, secretsOfUrl } from './util/secretsOfUrl.ts'

/** Settings that are keys as they stand, wherever they are. */
const keys = /(key|keyid|token|secret|password)$/i

/** Addresses that everybody may know. */
const known: ReadonlySet<string> = new Set(['publicUrl', 'origins'])

/**
 * Everything in the configuration that nobody else may be told: keys, and of addresses all but the host. The name of a chain or a
 * network is in the path of many an address, and stands in every answer.
 */
export function configSecrets(config: Config): Secret[] {
  const names = new Set([
    ...knownChains.flatMap((chain) => chain.names),
    ...Object.keys({ ...config.chains, ...config.aptos }),
  ])
  return secretsWithin('', config).filter(({ text }) => !names.has(text.toLowerCase()))
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
