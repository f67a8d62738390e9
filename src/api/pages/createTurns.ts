import { TooManyRequestsError } from '../../errors.ts'

/** Lets work that costs the database much begin in turn, so that no client and not all of them together take it away from the others. */
export type Turns = {
  /** What `work` gives, once its turn has come. Throws TooManyRequestsError where too many wait already. */
  run<T>(client: bigint, work: () => Promise<T>): Promise<T>
}

export type TurnsOptions = {
  /** Work under way at once. */
  atOnce: number
  /** Of these, for one client. */
  ofOne: number
  /** Requests of one client that may wait. */
  waitingOfOne: number
}

type Waiting = { client: bigint; begin: () => void }

export function createTurns({ atOnce, ofOne, waitingOfOne }: TurnsOptions): Turns {
  const underWay: bigint[] = []
  const waiting: Waiting[] = []
  const countOf = (client: bigint) => underWay.filter((one) => one === client).length
  const mayBegin = (client: bigint) => underWay.length < atOnce && countOf(client) < ofOne

  function end(client: bigint): void {
    underWay.splice(underWay.indexOf(client), 1)
    const next = waiting.findIndex((one) => mayBegin(one.client))
    if (next !== -1) waiting.splice(next, 1)[0]!.begin()
  }

  return {
    async run(client, work) {
      if (mayBegin(client)) underWay.push(client)
      else {
        if (waiting.filter((one) => one.client === client).length >= waitingOfOne)
          throw new TooManyRequestsError(
            `this key already has ${waitingOfOne} requests for earlier states waiting; ask again when some are answered`,
            { retryAfterSeconds: 1 },
          )
        await new Promise<void>((resolve) => {
          const begin = () => {
            underWay.push(client)
            resolve()
          }
          waiting.push({ client, begin })
        })
      }
      try {
        return await work()
      } finally {
        end(client)
      }
    },
  }
}
