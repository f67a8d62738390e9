import { expect, test } from 'vitest'
import { commentProblems, proseProblems, textProblems } from '../scripts/proseProblems.ts'

const messages = (page: string) => proseProblems(page).map(({ line, message }) => `${line}: ${message}`)
const words = (count: number) => `The ${'very '.repeat(count - 3)}old node.`.replaceAll(/very very/g, 'very quite')

test('default: reports an unusual word with the usual one and its line', () => {
  expect(messages('# A page\n\nA node fails.\nThe log tells it.\n')).toEqual([
    '4: “tells”: write report, show, return, log',
  ])
  expect(messages('| a |\n|---|\n| what was left out |\n')).toEqual(['3: “left out”: write skipped, omitted'])
})

test('behavior: ignores code, paths, quoted titles and lookalike words', () => {
  expect(
    messages(
      [
        '`told` and “what is told” and the OpenAPI 3.1 document, an in-doubt transaction.',
        '',
        '```sh\nmintmark told\n```',
        '',
        '| a |\n|---|\n| the tables of db/staging/told.ts |',
      ].join('\n'),
    ),
  ).toEqual([])
})

test('behavior: allows 25 words per sentence, counts code as one word, and exempts tables', () => {
  expect(messages(`${words(25)} ${words(25)}`)).toEqual([])
  expect(messages(`A short one.\n${words(26)}`)).toEqual([expect.stringMatching(/^2: 26 words, 25 are allowed: The /)])
  expect(messages(`| a |\n|---|\n| ${words(40)} |\n`)).toEqual([])
  expect(messages(`It took \`npm run bench -- a b c d e f\` 15 s. ${words(25)}`)).toEqual([])
})

test('behavior: rejects a sentence that begins with a clause instead of its subject, but not a question', () => {
  expect(messages('Where a node fails, another one answers.')).toEqual([
    '1: begins without its subject: Where a node fails, another one answers.',
  ])
  expect(messages('Where is the log?')).toEqual([])
})

test('error: finds terms in comments, except terms that are also names in code', () => {
  const code = [
    "const url = 'https://told.example' // told",
    '/**',
    ' * A document, `told` by',
    ' * a stranger.',
    ' */',
  ].join('\n')
  expect(commentProblems(code).map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '1: “told”: write report, show, return, log',
    '4: “stranger”: write untrusted, third-party',
  ])
})

test('error: finds terms in texts that users read, but not in names, statements and comments', () => {
  const code = [
    "log.warn({ told }, 'the node is away') // told",
    'const told = `SELECT a AS told FROM b WHERE told`',
    'const shown = <p>The block is {told} again.</p>',
    '  Requests to strangers',
  ].join('\n')
  expect(textProblems(code).map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '1: “is away”: write unreachable, unresponsive, removed',
    '4: “strangers”: write untrusted, third-party',
  ])
})
