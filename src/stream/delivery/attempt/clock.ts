/** Milliseconds since 1970; the tests move it by hand. */
export type Clock = () => number
