import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isWhole = ({ moduleId }: TestSpecification) =>
  /\/test\/(?:aptos|console|documentedLines|examples|nft|operations|replica|simulation|stream|start)\b/.test(moduleId)

/**
 * The order of test files. Those of the whole service take longest: they come first, so that no worker idles at the end. Among them those of a
 * folder are spread, as the ones beside each other would want the same: a browser keeps a processor busy, a restart waits.
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

/** False for a file of which a filter by tags leaves no test: loading it only to skip it takes a tenth of a second. */
function mayHaveTests(text: string, filter: string): boolean {
  if (filter.includes('!system')) return !/^\/\/ @module-tag system$/m.test(text)
  return !filter.includes('system') || /\bsystem\b/.test(text)
}

function spread(files: readonly TestSpecification[]): TestSpecification[] {
  const folders = Object.values(Object.groupBy(files, ({ moduleId }) => dirname(moduleId)))
  const placed = folders.flatMap((folder = []) => folder.map((file, i) => ({ file, place: (i + 0.5) / folder.length })))
  return placed.sort((a, b) => a.place - b.place).map(({ file }) => file)
}
