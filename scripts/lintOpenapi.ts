import { join } from 'node:path'
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core'

const file = join(import.meta.dirname, '..', 'openapi.json')

/** The rules that the linter recommends, with its warnings as errors, and the exceptions that Mintmark makes. */
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // The document has no host, as each operator runs the server at one of their own.
    'no-server-example.com': 'off',
    // `/nft/{address}` and `/{wallet}/nft` are paths of published clients; src/api/http/app.test.ts shows which of them answers.
    'no-ambiguous-paths': 'off',
    'operation-description': 'error',
    'parameter-description': 'error',
    'tag-description': 'error',
    'no-invalid-schema-examples': 'error',
    'no-invalid-parameter-examples': 'error',
    // The errors of every operation are in its response `default`, which a test checks.
    'operation-4xx-response': 'off',
  },
})

const problems = await lint({ ref: file, config })
const totals = getTotals(problems)
if (problems.length > 0) formatProblems(problems, { totals, version: 'openapi', format: 'codeframe' })
process.exitCode = totals.errors + totals.warnings > 0 ? 1 : 0
