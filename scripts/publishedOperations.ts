import * as aptos from 'moralis/common-aptos-utils'
import * as evm from 'moralis/common-evm-utils'
import * as streams from 'moralis/common-streams-utils'
import { absentOperations } from '../src/api/document/absentOperations.ts'
import type { OpenapiDocument } from '../src/api/document/openapi.ts'
import { withParts } from './writtenParts.ts'

/** An operation of the published client, with the path that the client requests. */
export type PublishedOperation = {
  api: 'EvmApi' | 'Streams' | 'AptosApi'
  /** Its name in the client's package. */
  operationId: string
  groupName: string
  method: string
  path: string
}

/** An operation as the client's packages declare it. Older packages use other fields than newer ones. */
type Declared = {
  operationId?: string
  id?: string
  groupName: string
  method?: string
  httpMethod?: string
  urlPathPattern?: string
  routePattern?: string
}

/** Returns every operation that the packages of the published client declare, each once. */
export function publishedOperations(): PublishedOperation[] {
  const ofStreams = Object.entries(streams).filter(([name]) => name.endsWith('Operation'))
  return [
    ...declared('EvmApi', '/api/v2', [...evm.operations, ...evm.operationsV2All]),
    ...declared(
      'Streams',
      '',
      ofStreams.map(([, operation]) => operation),
    ),
    ...declared('AptosApi', '', aptos.operations),
  ]
}

function declared(api: PublishedOperation['api'], base: string, operations: readonly object[]): PublishedOperation[] {
  const found = new Map<string, PublishedOperation>()
  for (const operation of operations as Declared[]) {
    const operationId = operation.operationId ?? operation.id ?? ''
    const method = (operation.httpMethod ?? operation.method ?? '').toUpperCase()
    const path = base + (operation.routePattern ?? operation.urlPathPattern ?? '')
    found.set(operationId, { api, operationId, groupName: operation.groupName, method, path })
  }
  return [...found.values()]
}

/** Method and path without the names of parameters. Two operations with the same shape are the same. */
export function shapeOfOperation({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
}

/** Returns docs/clients.md with updated tables of operations. */
export function withOperations(page: string, openapi: Pick<OpenapiDocument, 'paths'>): string {
  const own = new Set(
    Object.entries(openapi.paths ?? {}).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => shapeOfOperation({ method: method.toUpperCase(), path })),
    ),
  )
  const tables = (['EvmApi', 'Streams', 'AptosApi'] as const).map((api) => table(api, own))
  return withParts(page, [tables.join('\n\n')])
}

function table(api: PublishedOperation['api'], own: ReadonlySet<string>): string {
  const all = publishedOperations().filter((operation) => operation.api === api)
  const rows = all.map((operation) => {
    const name = api === 'Streams' ? operation.operationId : `${operation.groupName}.${operation.operationId}`
    return `| \`${name}\` | \`${operation.method} ${operation.path}\` | ${stateOf(operation, own)} |`
  })
  const served = all.filter((operation) => own.has(shapeOfOperation(operation))).length
  const head = `\`Moralis.${api}\`: this server has ${served} of ${all.length} operations.\n\n| operation | request | available |\n|---|---|---|\n`
  return head + rows.sort().join('\n')
}

function stateOf(operation: PublishedOperation, own: ReadonlySet<string>): string {
  if (own.has(shapeOfOperation(operation))) return 'yes'
  const absent = absentOperations.find(
    ({ operationId, path }) => operationId === operation.operationId && path === operation.path,
  )
  return absent?.needs ? `no: ${absent.needs}` : 'no'
}
