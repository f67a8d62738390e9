/** A number with its noun, whose plural adds s: 1 wallet, 2 wallets. */
export function counted(count: number | bigint, one: string): string {
  return `${count} ${one}${count === 1 || count === 1n ? '' : 's'}`
}
