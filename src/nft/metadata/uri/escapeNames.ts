/**
 * The address of a file on IPFS or Arweave with what belongs to names escaped, as names are often written unescaped: each `#`, where one
 * stands before a file ending (`Cat #7.png`) or behind a blank (`Cat #7`), and each `%` that begins no escape (`100%.png`). Any other `#`
 * begins a fragment, and stays.
 */
export function escapeNames(address: string): string {
  const escaped = address.replaceAll(/%(?![\da-f]{2})/gi, '%25')
  return beforeEnding.test(escaped) || behindBlank.test(escaped) ? escaped.replaceAll('#', '%23') : escaped
}

const beforeEnding = /^[^?]*#[^/?#]*\.[a-z\d]{2,5}$/i
const behindBlank = /^[^?#]*(?:\s|%20)#/
