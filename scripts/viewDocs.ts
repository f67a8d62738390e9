import { promisedViews } from '../src/db/views/promisedViews.ts'
import { withParts } from './writtenParts.ts'

/** Returns docs/views.md with the views that other programs may rely on. */
export function viewDocs(page: string): string {
  const sections = promisedViews.map(({ name, sentence, columns }) =>
    [
      `### ${name}`,
      `${sentence}`,
      [
        '| column | meaning |',
        '|---|---|',
        ...columns.map(([column, , meaning]) => `| \`${column}\` | ${meaning.replaceAll('|', '\\|')} |`),
      ].join('\n'),
    ].join('\n\n'),
  )
  return withParts(page, [sections.join('\n\n')])
}
