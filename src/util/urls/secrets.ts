import type { Secret } from './secretsOfUrl.ts'

/** A text with everything masked that may not be told. */
export type Mask = (text: string) => string

/** What may not leave this process, and the mask that keeps it in. */
export type Secrets = {
  add(secrets: readonly Secret[]): void
  mask: Mask
}

/** Shorter ones are masked only where they stand alone: they may well be part of another word or number. */
const longAlone = 16

/** Case does not matter: a node may repeat a key in capitals. */
export function createSecrets(): Secrets {
  const shown = new Map<string, string>()
  let pattern: RegExp | undefined
  return {
    add(secrets) {
      for (const secret of secrets) shown.set(secret.text.toLowerCase(), secret.shown)
      // Of two that begin alike the longer one is meant.
      const texts = [...shown.keys()].sort((a, b) => b.length - a.length)
      pattern = texts.length === 0 ? undefined : new RegExp(texts.map(patternOf).join('|'), 'gi')
    },
    mask: (text) => (pattern ? text.replace(pattern, (found) => shown.get(found.toLowerCase()) ?? '') : text),
  }
}

/** The mask of secrets that are all known. */
export function createMask(secrets: readonly Secret[]): Mask {
  const known = createSecrets()
  known.add(secrets)
  return known.mask
}

function patternOf(text: string): string {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return text.length >= longAlone ? literal : `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`
}
