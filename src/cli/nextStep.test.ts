import pg from 'pg'
import { expect, test } from 'vitest'
import { DatabaseUnavailableError, NodesUnreachableError } from '../db/databaseError.ts'
import { nextStep } from './nextStep.ts'

function rejection(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code })
}

test.each([
  ['a server without a connection left', 'raise max_connections', '53300', 'too many connections for role "mintmark"'],
  ['a wrong password', 'correct the user and the password', '28P01', 'password authentication failed for user "shop"'],
  ['a database that does not exist', 'create that database', '3D000', 'database "shop" does not exist'],
  ['no server', 'start PostgreSQL, or correct --database-url', 'ECONNREFUSED', 'connect ECONNREFUSED'],
])('behavior: suggests the next step for %s', (_, step, code, message) => {
  const cause = /^\d/.test(code) ? rejection(code, message) : Object.assign(new Error(message), { code })
  expect(nextStep(new DatabaseUnavailableError('the database cannot be reached', { cause }))).toContain(step)
})

test('behavior: suggests GRANT CONNECT to a user who may not connect, and another right to create tables', () => {
  const cause = rejection('42501', 'permission denied for database "shop"')
  expect(nextStep(new DatabaseUnavailableError('refused', { cause }))).toContain('GRANT CONNECT ON DATABASE')
  expect(nextStep(rejection('42501', 'permission denied for schema public'))).toContain('the right to create tables')
})

test('behavior: an unreachable cluster node and a server without TLS are not reported as a wrong address', () => {
  expect(nextStep(new NodesUnreachableError('10.0.0.2:5432'))).toBe(
    'start PostgreSQL there, or let it accept the coordinator',
  )
  const cause = new Error('The server does not support SSL connections')
  expect(nextStep(new DatabaseUnavailableError('refused', { cause }))).toContain('turn on ssl')
})
