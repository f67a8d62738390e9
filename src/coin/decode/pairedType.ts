import { isUtf8 } from 'node:buffer'
import { creatorOf } from './coin.ts'
import { fieldsOf, isHex } from './moveValues.ts'

/**
 * A type as the chain prints it, from a Move `TypeInfo`: an address, and the names of module and struct in hex; the latter includes type arguments.
 * Undefined if it is not a type.
 */
export function pairedTypeOf(info: unknown): string | undefined {
  const { account_address: address, module_name: module, struct_name: struct } = fieldsOf(info)
  if (!isHex(address)) return undefined
  const [moduleName, structName] = [textOf(module), textOf(struct)]
  if (moduleName === undefined || structName === undefined) return undefined
  const type = trimmed(`${address.toLowerCase()}::${moduleName}::${structName}`)
  return moduleName !== '' && structName !== '' && creatorOf(type) !== undefined ? type : undefined
}

/** Strips leading zeros of addresses, which the chain never prints within a type. */
function trimmed(type: string): string {
  return type.replaceAll(/(?<!\w)0x0*([0-9a-f]+)::/g, '0x$1::')
}

function textOf(hex: unknown): string | undefined {
  if (typeof hex !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(hex)) return undefined
  const bytes = Buffer.from(hex.slice(2), 'hex')
  return isUtf8(bytes) ? bytes.toString() : undefined
}
