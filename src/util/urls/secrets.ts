import type { Secret } from './secretsOfUrl.ts'

/** Masks every secret in a text. */
export type Mask = (text: string) => string

/** Texts that must not leave this process, and the mask that hides them. */
export type Secrets = {
  add(secrets: readonly Secret[]): void
  mask: Mask
}

/** Length from which a secret is masked anywhere. Shorter ones are masked only as whole words, as they may be part of another word or number. */
const longAlone = 16

/** Secrets are found in any case: a node may repeat a key in capitals. */
export function createSecrets(): Secrets {
  const shown = new Map<string, string>()
  let pattern: RegExp | undefined
  return {
    add(secrets) {
      for (const secret of secrets) shown.set(secret.text.toLowerCase(), secret.shown)
      // The longer one first, if two begin alike.
      const texts = [...shown.keys()].sort((a, b) => b.length - a.length)
      pattern = texts.length === 0 ? undefined : new RegExp(texts.map(patternOf).join('|'), 'gi')
    },
    mask: (text) => (pattern ? text.replace(pattern, (found) => shown.get(found.toLowerCase()) ?? '') : text),
  }
}

/** The mask of a fixed list of secrets. */
export function createMask(secrets: readonly Secret[]): Mask {
  const known = createSecrets()
  known.add(secrets)
  return known.mask
}

function patternOf(text: string): string {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  if (text.length >= longAlone) return literal
  // Punctuation at the beginning or end already separates it from longer words: `user@` is before its host.
  return `${/^[A-Za-z0-9]/.test(text) ? '(?<![A-Za-z0-9])' : ''}${literal}${/[A-Za-z0-9]$/.test(text) ? '(?![A-Za-z0-9])' : ''}`
}
