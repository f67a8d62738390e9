// Apart from what mints the tokens, as that loads viem and every command loads what the demo prints.

/** Tokens that the demo's collections have from the start; each further block mints a tile. */
export const tileCount = 10_000n
export const horizonCount = 500n
export const moonCount = 100n
