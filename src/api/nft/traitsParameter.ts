import { z } from 'zod'
import type { RequestedTrait } from '../../nft/traits.ts'
import { parameter, wholeItems } from '../http/parameters.ts'

const mostTraits = 20

/** Longest type or value of stored traits. */
const longest = 2_000

const allowed = `Type:Value, both at most ${longest} characters, with \\: for a colon in the type and \\\\ for a backslash`

/** A requested trait: type and value, separated by the first unescaped colon. */
const trait = parameter({
  description: 'A trait as Type:Value.',
  allowed,
  schema: { type: 'string', examples: ['Hat:Red'] },
  parse: readTrait,
})

/** The parameter `traits`. */
export function traitsParameter() {
  return wholeItems(
    z
      .array(trait)
      .max(mostTraits, `has too many; allowed: at most ${mostTraits}`)
      .meta({
        description: `Only tokens with these traits, each as Type:Value, up to ${mostTraits}. A token needs one of the given values of each given type. Commas are part of a value; \\: is a colon and \\\\ a backslash.`,
      }),
  )
}

/**
 * `\\:` and `\\\\` represent a colon and a backslash; any other backslash is literal. undefined: no colon, or too long.
 */
export function readTrait(text: string): RequestedTrait | undefined {
  let type: string | undefined
  let part = ''
  for (let at = 0; at < text.length; at++) {
    const next = text[at + 1]
    if (text[at] === '\\' && (next === ':' || next === '\\')) part += text[++at]
    else if (text[at] === ':' && type === undefined) {
      type = part
      part = ''
    } else part += text[at]
  }
  return type === undefined || type.length > longest || part.length > longest ? undefined : { type, value: part }
}
