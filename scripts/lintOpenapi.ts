import { join } from 'node:path'
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core'

const file = join(import.meta.dirname, '..', 'openapi.json')

/** The rules that the linter recommends, with warnings as errors, and Mintmark's exceptions. */
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // The document has no host, because each operator has their own.
    'no-server-example.com': 'off',
    // Published clients use both `/nft/{address}` and `/{wallet}/nft`. src/api/http/app.test.ts shows which of them answers.
    'no-ambiguous-paths': 'off',
    'operation-description': 'error',
    'parameter-description': 'error',
    'tag-description': 'error',
    'no-invalid-schema-examples': 'error',
    'no-invalid-parameter-examples': 'error',
    // The response `default` of every operation has its errors. A test checks this.
    'operation-4xx-response': 'off',
  },
})

const problems = await lint({ ref: file, config })
const totals = getTotals(problems)
if (problems.length > 0) formatProblems(problems, { totals, version: 'openapi', format: 'codeframe' })
process.exitCode = totals.errors + totals.warnings > 0 ? 1 : 0
