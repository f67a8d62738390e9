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

/** In words; code counts as one. */
const longestSentence = 25

const markdown = unified().use(remarkParse).use(remarkGfm)
const english = unified().use(retextEnglish).use(retextRepeatedWords)
const unusual = terms.map(({ term, usual, isInCode = false }) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${term})(?![\\w-])`, 'gi'),
  ...{ usual, isInCode },
}))
const unusualInCode = unusual.filter(({ isInCode }) => !isInCode)
/** “If a node fails, …” and “What is stored …”, but not a question. */
const headless = /^(?:What|Where|Whoever|Whatever|Those that|Of these|None of)\b(?!.*\?$)/s

/** The sentences of a page that are too long or begin without a subject, repeated words, and the terms of lint/terms.ts. */
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
/** A string in quotes, a text between two tags, or a line of such a text. */
const isText = /'[^'\n]*'|"[^"\n]*"|`[^`\n]*`?|(?<![=-])>[^<>{}=\n]+(?:<|$)|^\s*[A-Z][\w,.'’ -]*$/gm

/** The terms of lint/terms.ts in the texts of a TypeScript file that users read: messages, log events, descriptions, the console. */
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

/** The terms of lint/terms.ts in the comments of a TypeScript file. */
export function commentProblems(code: string): ProseProblem[] {
  return [...code.matchAll(isComment)].flatMap(({ 0: comment, index }) => {
    const text = comment.replaceAll(/`[^`]*`/g, (span) => span.replaceAll(/[^\n]/g, 'x'))
    const first = lineOf(code, index) + 1
    return termProblems(text, unusualInCode).map(({ line, message }) => ({ line: first + line, message }))
  })
}

/** The text as it is read, in the same lines. Code is one word; two beside each other differ. */
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

/** Lines count from 0 here. */
function termProblems(text: string, among = unusual): ProseProblem[] {
  // A title of a test is quoted as the test has it, a path is that of its file.
  const own = text.replaceAll(/“[^”]*”|\w+(?:\/\w+)+/g, blank)
  return among.flatMap(({ pattern, usual }) =>
    [...own.matchAll(pattern)].map(({ 0: word, index }) => ({
      line: lineOf(own, index),
      message: `“${word.replaceAll('\n', ' ')}”: write ${usual}`,
    })),
  )
}

function sentenceProblems(said: string): ProseProblem[] {
  const text = splittable(said)
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

/** The same lines, with words at which the parser sees where a sentence ends and begins. */
function splittable(text: string): string {
  return text
    .replaceAll(/[\w/]+\.(?:md|json|ts|sql|yaml)\b/g, 'File')
    .replaceAll(/\d[\d,.]*(?=\.\s)/g, 'number')
    .replaceAll(/\b(?:s|ms|kB|MB|GB|TB)\.(?=\s)/g, 'unit.')
    .replaceAll(/(?<=[.!?]\s+)code(?=[ab]\b)/g, 'Code')
}

/** Spaces in the same lines. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1
}
