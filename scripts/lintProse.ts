import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { proseProblems } from './proseProblems.ts'

// Prints the problems of every Markdown page that people write, and fails if there is one.
const root = join(import.meta.dirname, '..')
/** Their text is made of the code. */
const generated = ['docs/configuration.md', 'docs/measurements.md', 'docs/tables.md']
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/*.md'], { cwd: root }).filter(
  (page) => !generated.includes(page),
)

const lines = pages
  .sort()
  .flatMap((page) =>
    proseProblems(readFileSync(join(root, page), 'utf8')).map(({ line, message }) => `${page}:${line} ${message}\n`),
  )
process.stdout.write(lines.join(''))
process.exitCode = lines.length > 0 ? 1 : 0
