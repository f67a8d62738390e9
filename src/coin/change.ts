/** How many coins of `0x1::coin` and how many fungible assets. */
export type Change = { coins: number; assets: number }

/** Of the standards of rows. */
export function changeOf(standards: readonly number[]): Change {
  const assets = standards.filter((standard) => standard === 2).length
  return { coins: standards.length - assets, assets }
}
