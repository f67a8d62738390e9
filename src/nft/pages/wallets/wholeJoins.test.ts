import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../../test/database.ts'
import { onCluster } from '../../../../test/onCluster.ts'
import { countWholeTransfersSql, wholeTransfersSql } from '../transfers/wholeTransferSql.ts'
import { contractsSql, countSql } from './wholeContractsSql.ts'
import { tokensSql } from './wholeSql.ts'

type Plan = { 'Node Type': string; 'CTE Name'?: string; Plans?: Plan[] }

/** Names of the CTEs that a plan compares row by row, in pairs. */
function compared(plan: Plan): string[] {
  const { Plans: parts = [] } = plan
  const names = parts.flatMap(({ 'CTE Name': name }) => name ?? [])
  return [
    ...(plan['Node Type'] === 'Nested Loop' && names.includes('known') ? [names.join(' ')] : []),
    ...parts.flatMap(compared),
  ]
}

const choices = [true, false].flatMap((complete) =>
  [true, false].flatMap((asOf) =>
    [true, false].flatMap((filtered) =>
      (['contract', 'acquired'] as const).map((order) => ({ complete, asOf, filtered, order, since: false })),
    ),
  ),
)
const none = { hasTabled: false, named: false, received: false, metadata: null }
const statements = [
  ...choices.map((choice) => tokensSql({ ...choice, ...none })),
  ...choices.map(contractsSql),
  ...choices.map(({ complete, asOf }) => countSql(complete, asOf)),
  ...[true, false].map((complete) => wholeTransfersSql(complete, 'DESC')),
  ...[true, false].map(countWholeTransfersSql),
]

test.skipIf(onCluster)(
  'default: prepared pages of a wallet do not compare each of its contracts with each',
  async () => {
    const { db, drop } = await createTestDatabase()
    onTestFinished(drop)
    const client = await db.connect()
    onTestFinished(() => client.end())
    for (const statement of new Set(statements)) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`,
      )
      expect(compared(rows[0]!['QUERY PLAN'][0].Plan)).toEqual([])
    }
  },
)
