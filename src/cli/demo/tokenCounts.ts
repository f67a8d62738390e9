// Separate from the minting code: that imports viem, while every command imports the demo's texts.

/** Initial tokens of the demo's collections; each later block mints a tile. */
export const tileCount = 10_000n
export const horizonCount = 500n
export const moonCount = 100n
