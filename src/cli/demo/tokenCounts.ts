// Separate from the code that mints the tokens: that loads viem, while every command loads the demo's texts.

/** Tokens that the demo's collections have from the start; each further block mints a tile. */
export const tileCount = 10_000n
export const horizonCount = 500n
export const moonCount = 100n
