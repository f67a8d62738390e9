import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { proseProblems } from './proseProblems.ts'

// Prints the problems of every Markdown page, and fails if there is one. Those of a generated page are fixed where its text comes from.
const root = join(import.meta.dirname, '..')
const lines = globSync(['*.md', 'docs/**/*.md', 'examples/*.md'], { cwd: root })
  .sort()
  .flatMap((page) =>
    proseProblems(readFileSync(join(root, page), 'utf8')).map(({ line, message }) => `${page}:${line} ${message}\n`),
  )
process.stdout.write(lines.join(''))
process.exitCode = lines.length > 0 ? 1 : 0
