import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The shell commands that are in docs/operations.md below `<!-- tested: NAME -->`. */
export function documentedCommands(name: string): string {
  const text = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const block = text.split(`<!-- tested: ${name} -->\n\`\`\`sh\n`)[1]?.split('\n```')[0]
  if (block === undefined) throw new Error(`docs/operations.md has no commands "${name}"`)
  return block
}
