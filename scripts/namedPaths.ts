/** A path of the package in a text for readers. After another path, the same words are a path of the server or of another site. */
const path = /(?<![\w./:-])(?:docs|deploy)\/[\w./-]*\w|(?<![\w./-])(?:README|CHANGELOG)\.md|(?<![\w./-])openapi\.json/g

/** Returns the files of the package that a text mentions, each once: `docs/configuration.md`, `deploy/backup.sh`. */
export function namedPaths(text: string): string[] {
  return [...new Set(text.match(path))]
}

/** Returns the files of the package that a page links to, relative to its own folder. */
export function linkedPaths(page: string): string[] {
  return [...page.matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!)
}
