import type { Tool } from './tools.ts'

/**
 * The first argument of the path that its schema does not allow, as a sentence. Such an argument could select another
 * operation: `events` as a token id, or `..`, which URL parsers resolve.
 */
export function pathFault(
  { inPath, inputSchema }: Pick<Tool, 'inPath' | 'inputSchema'>,
  given: Record<string, unknown>,
): string | undefined {
  for (const name of inPath) {
    const { pattern, allowed } = shapeOf(inputSchema.properties[name] ?? {})
    const value = given[name]
    const isPlain = typeof value === 'string' || typeof value === 'number'
    if (!isPlain || !new RegExp(pattern).test(String(value)))
      return `${name} is ${JSON.stringify(value).slice(0, mostShown)}; allowed: ${allowed}`
  }
  return undefined
}

/** Most characters of a value in a message. */
const mostShown = 100

function shapeOf({ pattern, format, examples }: Record<string, unknown>): { pattern: string; allowed: string } {
  if (format === 'uuid')
    return { pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', allowed: 'the id, a UUID' }
  const [example] = Array.isArray(examples) ? examples : []
  const such = example === undefined ? '' : `, such as ${example}`
  if (typeof pattern === 'string') return { pattern, allowed: `text that matches ${pattern}${such}` }
  return { pattern: '^(?!\\.{0,2}$)', allowed: `text other than . and ..${such}` }
}
