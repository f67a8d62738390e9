import type { Hex } from '../../../util/hex.ts'

/**
 * Limits the calls that use up all the gas that a node allows. A contract decides what its views cost, and an endless view blocks a node until its
 * gas is used up.
 */
export type GasBudget = { runOut(): void; isSpent(): boolean }

/** A budget of `most` calls; calls in progress when it is spent may exceed it. */
export function createGasBudget(most: number): GasBudget {
  let remaining = most
  return {
    runOut() {
      remaining--
    },
    isSpent: () => remaining <= 0,
  }
}

/** Limits the bytes of held answers: a contract decides their lengths, so many calls could return hundreds of megabytes. */
export type AnswerBudget = { hold(data: Hex): void; isFull(): boolean }

/** Space for `bytes` of answers; answers in progress when it is full may exceed it. */
export function createAnswerBudget(bytes: number): AnswerBudget {
  let digits = bytes * 2
  return {
    hold(data) {
      digits -= data.length
    },
    isFull: () => digits <= 0,
  }
}
