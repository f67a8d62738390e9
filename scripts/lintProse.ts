import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commentProblems, type ProseProblem, proseProblems } from './proseProblems.ts'

// Prints the problems of every Markdown page, and those of comments, and fails if there is one. Those of a generated page are fixed where its text comes from.
const root = join(import.meta.dirname, '..')
const problemsOf = (patterns: string[], find: (text: string) => ProseProblem[]) =>
  globSync(patterns, { cwd: root, exclude: (path) => /\.(test\.tsx?|artifact\.ts)$/.test(path) })
    .sort()
    .flatMap((file) =>
      find(readFileSync(join(root, file), 'utf8')).map(({ line, message }) => `${file}:${line} ${message}\n`),
    )
const lines = [
  ...problemsOf(['*.md', 'docs/**/*.md', 'examples/*.md'], proseProblems),
  ...problemsOf(['{src,web,lint,scripts}/**/*.{ts,tsx}'], commentProblems),
]
process.stdout.write(lines.join(''))
process.exitCode = lines.length > 0 ? 1 : 0
