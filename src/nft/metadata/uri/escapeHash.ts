/**
 * The address of a file on IPFS or Arweave with each `#` escaped where they belong to names: `Cat #7.png` is written unescaped, so a `#`
 * before a file ending is part of the name. Any other begins a fragment, and stays.
 */
export function escapeHash(address: string): string {
  return /^[^?]*#[^/?#]*\.[a-z\d]{2,5}$/i.test(address) ? address.replaceAll('#', '%23') : address
}
