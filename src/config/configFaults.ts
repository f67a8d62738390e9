import leven from 'leven'
import type { z } from 'zod'
import { bare, partsOf } from '../util/allowed.ts'
import { issueSentence, placeOf } from '../util/faults/issueSentence.ts'

/** The file, variable or flag that set a configuration path; undefined for none. */
export type SourceOf = (path: readonly string[]) => string | undefined

/**
 * One sentence for each error of the schema: the setting, the error, the allowed values, and the source of the value. For an unknown setting the
 * sentence suggests the most similar one. No value is quoted, as it may be a secret.
 */
export function settingFaults(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodObject,
  input: unknown,
  sourceOf: SourceOf,
): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => unknownKey([...issue.path, key], schema) + setBy([...issue.path, key], sourceOf))
    const { message } = issueSentence(issue, schema, input, 'configuration', 'hidden')
    return [message + setBy(issue.path, sourceOf)]
  })
}

/** ` (set by MINTMARK_PORT)`; for a missing setting, the source of its group. */
export function setBy(path: readonly PropertyKey[], sourceOf: SourceOf): string {
  for (let length = path.length; length > 0; length--) {
    const source = sourceOf(path.slice(0, length).map(String))
    if (source !== undefined) return ` (set by ${source})`
  }
  return ''
}

function unknownKey(path: readonly PropertyKey[], schema: z.ZodObject): string {
  const within = path.slice(0, -1).reduce<z.ZodType | undefined>(childOf, schema)
  const siblings = Object.keys((within && shapeOf(within)) ?? {})
  const above = path.length > 1 ? `${placeOf(path.slice(0, -1), 'hidden')}.` : ''
  const key = String(path.at(-1))
  const like = mostLike(key, siblings)
  const meant =
    like === undefined
      ? settingPaths(schema)
          .filter((p) => p.at(-1) === key)
          .map((p) => p.join('.'))
      : [above + like]
  const hint = meant.length > 0 ? `did you mean ${meant.join(' or ')}?` : `allowed: ${siblings.join(', ')}`
  return `${placeOf(path, 'hidden')} is not a setting; ${hint}`
}

/** The most similar name to a misspelt one; undefined if none is similar. */
export function mostLike(name: string, names: readonly string[]): string | undefined {
  return nearest(name, names, 1)[0]
}

/**
 * At most `most` similar names to a misspelt one: the closest, and those with one more difference. Ties are in the
 * order of `names`.
 */
export function nearest(name: string, names: readonly string[], most: number): string[] {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  // Two swapped letters count as two differences.
  const wanted = plain(name)
  const maxDistance = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3))
  const near = names
    .map((candidate) => ({ candidate, distance: leven(wanted, plain(candidate)) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance)
  return near
    .filter(({ distance }) => distance <= near[0]!.distance + 1)
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/** Paths of all settings with fixed names; those within a chain or network have none. */
export function settingPaths(schema: z.ZodType, path: readonly string[] = []): string[][] {
  return Object.entries(shapeOf(schema) ?? {}).flatMap(([name, field]) => [
    [...path, name],
    ...settingPaths(field, [...path, name]),
  ])
}

/** The settings of a group by name. */
export function shapeOf(schema: z.ZodType): Record<string, z.ZodType> | undefined {
  return partsOf(bare(schema)).shape
}

function childOf(schema: z.ZodType | undefined, step: PropertyKey): z.ZodType | undefined {
  return schema && (shapeOf(schema)?.[String(step)] ?? partsOf(bare(schema)).valueType)
}
