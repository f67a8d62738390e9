import type { Hex } from '../../../util/hex.ts'

/**
 * How many calls may use up all the gas that a node grants before no more are asked with it. A contract decides what its views
 * cost, and each that never ends keeps a node from all other work for as long as its gas lasts.
 */
export type GasBudget = { runOut(): void; isSpent(): boolean }

/** `most` calls; more only by those that are under way when it is spent. */
export function createGasBudget(most: number): GasBudget {
  let left = most
  return {
    runOut() {
      left--
    },
    isSpent: () => left <= 0,
  }
}

/** How much of the answers to many calls is held: a contract decides how long each is, and hundreds of megabytes are asked at once. */
export type AnswerRoom = { hold(data: Hex): void; isFull(): boolean }

/** `bytes` of answers; more only by those that are under way when it is full. */
export function createAnswerRoom(bytes: number): AnswerRoom {
  let digits = bytes * 2
  return {
    hold(data) {
      digits -= data.length
    },
    isFull: () => digits <= 0,
  }
}
