import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isWhole = ({ moduleId }: TestSpecification) =>
  /\/test\/(?:aptos|console|documentedLines|examples|nft|operations|replica|simulation|stream|start)\b/.test(moduleId)

/**
 * The order of test files. Tests of the whole service take longest and run first, so that no worker idles at the end.
 * Files of one folder are spread among them, because they use the same resource: a browser uses a whole core, a restart waits.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const filter = this.ctx.config.tagsFilter?.join(' ') ?? ''
    const sorted = (await super.sort(files)).filter(({ moduleId }) =>
      mayHaveTests(readFileSync(moduleId, 'utf8'), filter),
    )
    return [...spread(sorted.filter(isWhole)), ...sorted.filter((file) => !isWhole(file))]
  }
}

/** False if a filter by tags skips all tests of the file. Merely loading such a file takes a tenth of a second. */
function mayHaveTests(text: string, filter: string): boolean {
  if (filter.includes('!system')) return !/^\/\/ @module-tag system$/m.test(text)
  return !filter.includes('system') || /\bsystem\b/.test(text)
}

function spread(files: readonly TestSpecification[]): TestSpecification[] {
  const folders = Object.values(Object.groupBy(files, ({ moduleId }) => dirname(moduleId)))
  const placed = folders.flatMap((folder = []) => folder.map((file, i) => ({ file, place: (i + 0.5) / folder.length })))
  return placed.sort((a, b) => a.place - b.place).map(({ file }) => file)
}
