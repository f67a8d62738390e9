import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Root as MarkdownRoot, Nodes, TableRow } from 'mdast'
import type { Root as TextRoot } from 'nlcst'
import { toString } from 'nlcst-to-string'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import retextEnglish from 'retext-english'
import retextRepeatedWords from 'retext-repeated-words'
import { unified } from 'unified'
import { SKIP, visit } from 'unist-util-visit'
import { VFile } from 'vfile'
import { terms } from '../lint/terms.ts'

// Prints every sentence of the Markdown pages that is too long, begins without its subject or has a word of lint/terms.ts, and fails if there is one.
const root = join(import.meta.dirname, '..')
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/*.md'], { cwd: root }).sort()
/** Their text is made of the code. */
const generated = ['docs/configuration.md', 'docs/tables.md', 'docs/measurements.md']
const longest = 25

const markdown = unified().use(remarkParse).use(remarkGfm)
const english = unified().use(retextEnglish).use(retextRepeatedWords)
const unusual = terms.map(({ term, usual }) => ({ pattern: new RegExp(`(?<![\\w-])(?:${term})(?![\\w-])`, 'gi'), usual }))
/** “Where a node fails, …” and “What is stored …”: a question is none. */
const headless = /^(?:What|Where|Whoever|Whatever|Those that|Of these|None of)\b(?![^]*\?$)/

let count = 0
let spans = 0
for (const page of pages) if (!generated.includes(page)) lint(page)
if (count > 0) {
  process.stdout.write(`${count} sentences to rewrite\n`)
  process.exitCode = 1
}

function lint(page: string): void {
  const tree: MarkdownRoot = markdown.parse(readFileSync(join(root, page), 'utf8'))
  const report = (line: number, message: string) => {
    process.stdout.write(`${page}:${line} ${message}\n`)
    count++
  }
  visit(tree, (node) => {
    if (node.type === 'tableRow' && isMetric(node)) return SKIP
    if (node.type !== 'paragraph' && node.type !== 'heading' && node.type !== 'tableCell') return
    const text = plain(node)
    const first = node.position?.start.line ?? 1
    lintTerms(text, first, report)
    if (node.type === 'paragraph') lintSentences(text, first, report)
    return SKIP
  })
}

/** Rows of metrics have the help of the code. */
function isMetric(row: TableRow): boolean {
  const name = row.children[0]?.children[0]
  return name?.type === 'inlineCode' && name.value.startsWith('mintmark_')
}

/** The text as it is read, in the same lines. Code is one word, another one than the code before it. */
function plain(node: Nodes): string {
  if (node.type === 'inlineCode') return node.value.replaceAll(/[^\n]+/g, () => `code${'ab'[spans++ % 2]}`)
  if (node.type === 'break') return '\n'
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(plain).join('') : ''
}

/** The same lines, with words at which the parser sees where a sentence ends and begins. */
function splittable(text: string): string {
  return text
    .replaceAll(/[\w/]+\.(?:md|json|ts|sql|yaml)\b/g, 'File')
    .replaceAll(/\d[\d,.]*(?=\.\s)/g, 'number')
    .replaceAll(/\b(?:s|ms|kB|MB|GB|TB)\.(?=\s)/g, 'unit.')
    .replaceAll(/(?<=[.!?]\s+)code(?=[ab]\b)/g, 'Code')
}

function lineAt(text: string, offset: number, first: number): number {
  return first + text.slice(0, offset).split('\n').length - 1
}

function lintTerms(text: string, first: number, report: (line: number, message: string) => void): void {
  // A title of a test is quoted as the test has it.
  const own = text.replaceAll(/“[^”]*”/g, (title) => title.replaceAll(/[^\n]/g, ' '))
  for (const { pattern, usual } of unusual)
    for (const { 0: word, index } of own.matchAll(pattern))
      report(lineAt(text, index, first), `“${word.replaceAll('\n', ' ')}”: write ${usual}`)
}

function lintSentences(said: string, first: number, report: (line: number, message: string) => void): void {
  const text = splittable(said)
  const file = new VFile(text)
  const tree: TextRoot = english.parse(file)
  english.runSync(tree, file)
  for (const { reason, line } of file.messages) report(first + (line ?? 1) - 1, reason)
  visit(tree, 'SentenceNode', (sentence) => {
    const words = sentence.children.filter(({ type }) => type === 'WordNode').length
    const sentenceText = toString(sentence).replaceAll('\n', ' ')
    const line = lineAt(text, sentence.position?.start.offset ?? 0, first)
    if (words > longest) report(line, `${words} words, ${longest} are allowed: ${sentenceText}`)
    if (headless.test(sentenceText)) report(line, `begins without its subject: ${sentenceText}`)
  })
}
