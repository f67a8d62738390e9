import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as protos from '@aptos-labs/aptos-protos'

/** An encoded `aptos.transaction.v1.Transaction`, and the offset of the five bytes of its version. */
export type Template = { bytes: Buffer; versionAt: number }

/** Versions from here to 2^35 take five bytes, so that one can replace another. */
export const firstVersion = 3_000_000_000

const folder = join(import.meta.dirname, '../../shared/data/aptos/grpc_json')
const { Transaction } = protos.aptos.transaction.v1

/** Returns the 116 recorded transactions if the files exist, otherwise synthetic ones of the same size. */
export function transactionTemplates(): { templates: Template[]; recorded: boolean } {
  const recorded = existsSync(folder)
  const documents = recorded
    ? globSync('**/*.json', { cwd: folder }).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
    : Array.from({ length: 116 }, (_, i) => inventMetadata(i))
  return { recorded, templates: documents.map(template) }
}

function template(document: object): Template {
  const bytes = Buffer.from(
    Transaction.encode(Transaction.fromJSON({ ...document, version: String(firstVersion) })).finish(),
  )
  const field = Buffer.alloc(6)
  field[0] = 0x10
  writeVersion(field, 1, firstVersion)
  const versionAt = bytes.indexOf(field) + 1
  if (versionAt === 0) throw new Error('a transaction without its version')
  return { bytes, versionAt }
}

/** Writes a version as a varint of five bytes. */
export function writeVersion(bytes: Buffer, at: number, version: number): void {
  let rest = version
  for (let i = 0; i < 5; i++) {
    const low = rest % 128
    rest = Math.floor(rest / 128)
    bytes[at + i] = i < 4 ? low | 0x80 : low
  }
}

/** Makes nine kilobytes of resources. In every twentieth transaction one of them belongs to a coin. */
function inventMetadata(i: number): object {
  const data = JSON.stringify({ value: '7'.repeat(700) })
  const change = (typeStr: string, text: string) => ({
    type: 'TYPE_WRITE_RESOURCE',
    writeResource: { address: '0x1', typeStr, data: text },
  })
  const coin = JSON.stringify({ decimals: 8, name: `Coin ${i}`, symbol: 'C', supply: { vec: [] } })
  const changes = Array.from({ length: 10 }, (_, n) => change(`0x1::coin::CoinStore<0x${i + 1}::m::C${n}>`, data))
  if (i % 20 === 0) changes.push(change(`0x1::coin::CoinInfo<0x${i + 1}::m::C>`, coin))
  return { timestamp: { seconds: '1700000000' }, type: 'TRANSACTION_TYPE_USER', info: { success: true, changes } }
}
