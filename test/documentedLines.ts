import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One command line of a page: continuation lines joined, and without the prompt of a transcript. */
export type DocumentedLine = { page: string; block: number; text: string }

const root = join(import.meta.dirname, '..')
const shells = ['sh', 'console']
/** The likely start of a command line in a fence without a language. */
const commands = /^(?:\$ )?(?:npx|npm|node|mintmark|curl|docker|sudo|deploy\/\S+) /m

/** README.md, CONTRIBUTING.md and the pages of docs/, with their paths. */
export function readPages(): { page: string; text: string }[] {
  const atRoot = readdirSync(root).filter((name) => /^(?:README|CONTRIBUTING)\.md$/.test(name))
  const inDocs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  const pages = [...atRoot, ...inDocs.map((name) => `docs/${name}`)]
  return pages.map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }))
}

/** The fences of a page: the language of each, and its text. */
export function readFences(text: string): { language: string; code: string }[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, code]) => ({
    language: language!,
    code: code!,
  }))
}

/** Every command line in a fence of `sh` or `console`. Throws if a fence without a language contains one. */
export function documentedLines(page: string, text: string): DocumentedLine[] {
  return readFences(text).flatMap(({ language, code }, block) => {
    if (language === '' && commands.test(code))
      throw new Error(`${page}: command lines in a fence that is not sh:\n${code}`)
    if (!shells.includes(language)) return []
    const lines = language === 'console' ? promptedLines(code) : wholeLines(code)
    return lines.map((line) => ({ page, block, text: line }))
  })
}

/** The lines of a transcript that the user typed. */
function promptedLines(code: string): string[] {
  return code.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []))
}

/** Splits shell text into command lines. A line continues after a backslash at its end and inside quotes. */
export function wholeLines(code: string): string[] {
  const lines: string[] = []
  let rest = ''
  for (const line of code.split('\n')) {
    rest += rest === '' ? line : `\n${line}`
    if (rest.endsWith('\\') || isQuoted(rest)) continue
    if (rest.trim() !== '') lines.push(rest)
    rest = ''
  }
  if (rest !== '') throw new Error(`a command line does not end: ${rest}`)
  return lines
}

/** Whether a quote is open at the end of a text; quotes in comments do not count. */
function isQuoted(text: string): boolean {
  let open = ''
  let before = ' '
  for (const sign of text) {
    if (open === '' && sign === '#' && /\s/.test(before)) open = '\n'
    before = sign
    if (open === '' && (sign === '"' || sign === "'")) open = sign
    else if (sign === open) open = ''
  }
  return open === '"' || open === "'"
}
