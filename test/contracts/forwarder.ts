import type { Hex } from '../../src/util/hex.ts'

/**
 * Forwards its call value to the address in the call data, and continues even if that call fails.
 * The code is PUSH0 ×4, CALLVALUE, the address, GAS, CALL, STOP. It is written by hand, because these ten bytes need no compiler.
 */
export const forwarder: { abi: []; bytecode: Hex } = { abi: [], bytecode: '0x695f5f5f5f345f355af1005f52600a6016f3' }
