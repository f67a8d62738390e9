/** What belongs to the package and is named to people. Where something stands before it, it is a path of the server or of another site. */
const path = /(?<![\w./:-])(?:docs|deploy)\/[\w./-]*\w|(?<![\w./-])(?:README|CHANGELOG)\.md|(?<![\w./-])openapi\.json/g

/** Files of the package that a text sends its readers to, each once: `docs/configuration.md`, `deploy/backup.sh`. */
export function namedPaths(text: string): string[] {
  return [...new Set(text.match(path))]
}

/** Where the links of a page lead within the package, relative to the page's own folder. */
export function linkedPaths(page: string): string[] {
  return [...page.matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!)
}
