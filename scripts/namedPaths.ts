/** A path of the package as texts name it to readers. With a path before it, the same words are a path of the server or of another site. */
const path = /(?<![\w./:-])(?:docs|deploy)\/[\w./-]*\w|(?<![\w./-])(?:README|CHANGELOG)\.md|(?<![\w./-])openapi\.json/g

/** The files of the package that a text names, each once: `docs/configuration.md`, `deploy/backup.sh`. */
export function namedPaths(text: string): string[] {
  return [...new Set(text.match(path))]
}

/** The files of the package to which a page links, as it names them: relative to its own folder. */
export function linkedPaths(page: string): string[] {
  return [...page.matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!)
}
