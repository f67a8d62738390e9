/** Text of `0x` and hex digits. */
export type Hex = `0x${string}`

/** A `Hex` of 20 bytes in lower case. */
export type Address = Hex

export const zeroAddress: Address = '0x0000000000000000000000000000000000000000'

/** The bytes of a hex text with or without 0x, whose digits the caller has checked. viem checks them again, which takes twice the time. */
export function hexToBuffer(hex: string): Buffer {
  return Buffer.from(hex.startsWith('0x') ? hex.slice(2) : hex, 'hex')
}

/** Bytes as lower-case hex, by Buffer: viem takes half as long again. */
export function bufferToHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

/** A JSON-RPC quantity, also the form of chain ids (EIP-695): minimal lower-case hex. */
export function quantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}
