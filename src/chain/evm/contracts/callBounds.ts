import type { Hex } from '../../../util/hex.ts'

/**
 * Bounds how many calls use up all the gas that a node grants. A contract decides what its views cost, and a view that never ends
 * keeps a node from all other work for as long as its gas lasts.
 */
export type GasBudget = { runOut(): void; isSpent(): boolean }

/** A budget of `most` calls; those that are in progress when it is spent may exceed it. */
export function createGasBudget(most: number): GasBudget {
  let left = most
  return {
    runOut() {
      left--
    },
    isSpent: () => left <= 0,
  }
}

/** Bounds the bytes of answers that are held: a contract decides how long each is, so many calls could give hundreds of megabytes. */
export type AnswerRoom = { hold(data: Hex): void; isFull(): boolean }

/** Space for `bytes` of answers; those that are in progress when it is full may exceed it. */
export function createAnswerRoom(bytes: number): AnswerRoom {
  let digits = bytes * 2
  return {
    hold(data) {
      digits -= data.length
    },
    isFull: () => digits <= 0,
  }
}
