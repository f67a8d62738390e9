import type { Hex } from '../../../util/hex.ts'

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
