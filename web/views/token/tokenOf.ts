/** A token at a block. `block` undefined: now. */
export type TokenOf = { chain: string; address: string; token: string; block: string | undefined }
