import { randomBytes } from 'node:crypto'

const sane = /^[A-Za-z0-9._:@/+=-]{1,128}$/

/**
 * Gives each request its id: the client's own where it is short and plain, else one of this process's random prefix and
 * a counter, which costs a tenth of a random one.
 */
export function createRequestIds(): (incoming: string | undefined) => string {
  const prefix = randomBytes(6).toString('hex')
  let count = 0
  return (incoming) =>
    incoming !== undefined && sane.test(incoming) ? incoming : `${prefix}-${(++count).toString(36)}`
}
