import type { Root as MarkdownRoot, Nodes } from 'mdast'
import type { Root as TextRoot } from 'nlcst'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import retextEnglish from 'retext-english'
import retextRepeatedWords from 'retext-repeated-words'
import { unified } from 'unified'
import { SKIP, visit } from 'unist-util-visit'
import { VFile } from 'vfile'
import { terms } from '../lint/terms.ts'

export type ProseProblem = { line: number; message: string }

/** Limit of words. Code counts as one. */
const longestSentence = 25

const markdown = unified().use(remarkParse).use(remarkGfm)
const english = unified().use(retextEnglish).use(retextRepeatedWords)
const unusual = terms.map(({ term, usual, isInCode = false }) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${term})(?![\\w-])`, 'gi'),
  ...{ usual, isInCode },
}))
const unusualInCode = unusual.filter(({ isInCode }) => !isInCode)
/** Matches “Where a node fails, …” and “What is stored …”, but not a question. */
const headless = /^(?:What|Where|Whoever|Whatever|Those that|Of these|None of)\b(?!.*\?$)/s

/** Returns the sentences of a page that are too long or have no subject, repeated words, and terms of lint/terms.ts. */
export function proseProblems(page: string): ProseProblem[] {
  const tree: MarkdownRoot = markdown.parse(page)
  const problems: ProseProblem[] = []
  visit(tree, (node) => {
    if (node.type !== 'paragraph' && node.type !== 'heading' && node.type !== 'tableCell') return
    const text = plain(node)
    const found = [...termProblems(text), ...(node.type === 'paragraph' ? sentenceProblems(text) : [])]
    const first = node.position?.start.line ?? 1
    problems.push(...found.map(({ line, message }) => ({ line: first + line, message })))
    return SKIP
  })
  return problems
}

const isComment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g
/** Matches a string in quotes, a text between two tags, or a line of such a text. */
const isText = /'[^'\n]*'|"[^"\n]*"|`[^`\n]*`?|(?<![=-])>[^<>{}=\n]+(?:<|$)|^\s*[A-Z][\w,.'’ -]*$/gm

/** Returns the terms of lint/terms.ts in a TypeScript file's visible texts: messages, log events, descriptions, the console. */
export function textProblems(code: string): ProseProblem[] {
  const shown = code.replaceAll(isComment, blank).replaceAll(/\$\{[^}\n]*\}/g, blank)
  return [...shown.matchAll(isText)]
    .filter(([text]) => / \w/.test(text) && !/\b(?:SELECT|FROM|WHERE|SET|NOT|NULL|JOIN)\b/.test(text))
    .flatMap(({ 0: text, index }) =>
      termProblems(text.replaceAll(/(?<=.)`[^`]*`/g, blank), unusualInCode).map(({ line, message }) => ({
        line: lineOf(shown, index) + 1 + line,
        message,
      })),
    )
}

/** Returns the terms of lint/terms.ts in the comments of a TypeScript file. */
export function commentProblems(code: string): ProseProblem[] {
  return [...code.matchAll(isComment)].flatMap(({ 0: comment, index }) => {
    const text = comment.replaceAll(/`[^`]*`/g, (span) => span.replaceAll(/[^\n]/g, 'x'))
    const first = lineOf(code, index) + 1
    return termProblems(text, unusualInCode).map(({ line, message }) => ({ line: first + line, message }))
  })
}

/** Returns the visible text with the same lines. Code is one word, and two adjacent ones differ. */
function plain(node: Nodes): string {
  let spans = 0
  const read = (part: Nodes): string => {
    if (part.type === 'inlineCode') return part.value.replaceAll(/[^\n]+/g, () => `code${'ab'[spans++ % 2]}`)
    if (part.type === 'break') return '\n'
    if (part.type === 'text') return part.value
    return 'children' in part ? part.children.map(read).join('') : ''
  }
  return read(node)
}

/** Lines count from 0. */
function termProblems(text: string, among = unusual): ProseProblem[] {
  // Titles of tests are quoted literally, and paths come from file names.
  const own = text.replaceAll(/“[^”]*”|\w+(?:\/\w+)+/g, blank)
  return among.flatMap(({ pattern, usual }) =>
    [...own.matchAll(pattern)].map(({ 0: word, index }) => ({
      line: lineOf(own, index),
      message: `“${word.replaceAll('\n', ' ')}”: write ${usual}`,
    })),
  )
}

function sentenceProblems(output: string): ProseProblem[] {
  const text = splittable(output)
  const file = new VFile(text)
  const tree: TextRoot = english.parse(file)
  english.runSync(tree, file)
  const problems = file.messages.map(({ reason, line }) => ({ line: (line ?? 1) - 1, message: reason }))
  visit(tree, 'SentenceNode', (sentence) => {
    const words = sentence.children.filter(({ type }) => type === 'WordNode').length
    const from = sentence.position?.start.offset ?? 0
    const shown = text.slice(from, sentence.position?.end.offset).replaceAll('\n', ' ')
    const line = lineOf(text, from)
    if (words > longestSentence)
      problems.push({ line, message: `${words} words, ${longestSentence} are allowed: ${shown}` })
    if (headless.test(shown)) problems.push({ line, message: `begins without its subject: ${shown}` })
  })
  return problems
}

/** Returns the same lines with replaced words, so that the parser finds the ends of sentences. */
function splittable(text: string): string {
  return text
    .replaceAll(/[\w/]+\.(?:md|json|ts|sql|yaml)\b/g, 'File')
    .replaceAll(/\d[\d,.]*(?=\.\s)/g, 'number')
    .replaceAll(/\b(?:s|ms|kB|MB|GB|TB)\.(?=\s)/g, 'unit.')
    .replaceAll(/(?<=[.!?]\s+)code(?=[ab]\b)/g, 'Code')
}

/** Replaces the text by spaces, with the same lines. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1
}
