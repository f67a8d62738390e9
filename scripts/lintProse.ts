import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commentProblems, type ProseProblem, proseProblems, textProblems } from './proseProblems.ts'

// Prints the problems of Markdown pages, comments and visible texts, and fails if there is one. Fix those of a generated page in their source.
const root = join(import.meta.dirname, '..')
const problemsOf = (patterns: string[], find: (text: string) => ProseProblem[]) =>
  globSync(patterns, { cwd: root, exclude: (path) => /artifact|proseProblems\.test/.test(path) })
    .sort()
    .flatMap((file) =>
      find(readFileSync(join(root, file), 'utf8')).map(({ line, message }) => `${file}:${line} ${message}\n`),
    )
const lines = [
  ...problemsOf(['*.md', 'docs/**/*.md', 'examples/*.md'], proseProblems),
  ...problemsOf(['{src,web,lint,scripts,test,bench,simulation,examples}/**/*.{ts,tsx}'], commentProblems),
  ...problemsOf(['{src,web}/**/!(*.test).{ts,tsx}'], textProblems),
]
process.stdout.write(lines.join(''))
process.exitCode = lines.length > 0 ? 1 : 0
