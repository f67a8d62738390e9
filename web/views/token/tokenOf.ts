/** Which token, and when. `block` undefined: now. */
export type TokenOf = { chain: string; address: string; token: string; block: string | undefined }
