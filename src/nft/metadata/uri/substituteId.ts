/**
 * A URI with every `{id}` replaced by the token's id as 64 lower-case hex digits without 0x, as EIP-1155 asks of
 * clients; `%7Bid%7D` is the same, where the whole URI was escaped.
 */
export function substituteId(uri: string, tokenId: bigint): string {
  if (!uri.includes('{') && !uri.includes('%')) return uri
  return uri.replaceAll(/\{id\}|%7Bid%7D/gi, BigInt.asUintN(256, tokenId).toString(16).padStart(64, '0'))
}
