import { knownChains } from '../chain/evm/chains.ts'
import { hidden, type Secret, secretsOfText, secretsOfUrl, shownUrl } from '../util/urls/secretsOfUrl.ts'
import type { Config } from './config.ts'

/** Names of settings whose whole value is secret, in any group. */
const keys = /(key|keyid|token|secret|password)$/i

/** Settings whose URLs are public. */
const known: ReadonlySet<string> = new Set(['publicUrl', 'origins'])

/**
 * All secrets of the configuration: keys, and URLs except their host. Names of chains and networks appear in many URLs,
 * but are not secret.
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
    return isAddress(value) ? secretsOfUrl(value) : []
  }
  if (Array.isArray(value)) return value.flatMap((item) => secretsWithin(name, item))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (known.has(key) ? [] : secretsWithin(key, inner)))
}

/** The configuration for display: without keys of any length, and with only the host of URLs that have keys. */
export function maskedConfig(config: Config): unknown {
  return maskedWithin('', config)
}

function maskedWithin(name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    if (keys.test(name)) return hidden
    return isAddress(value) ? shownUrl(value) : value
  }
  if (Array.isArray(value)) return value.map((item) => maskedWithin(name, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, known.has(key) ? inner : maskedWithin(key, inner)]),
  )
}

function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
}
