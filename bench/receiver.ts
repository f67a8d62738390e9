import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from './child.ts'

/**
 * A receiver of webhooks that reads all and answers 200; on /hang it never answers, on /slow after 100 ms. It sends its port, and then for
 * each message how many webhooks came, and when the first and the last came, in milliseconds since 1970.
 */
let count = 0
let firstAt = 0
let lastAt = 0
/** By path: when a webhook came, and the time that it carries in `sentAt`. */
const latencies: number[] = []
let target = 0

const server = createServer((request, response) => {
  const timed = request.url?.startsWith('/timed') === true
  let body = ''
  request.on('data', (chunk: Buffer) => {
    if (timed) body += chunk.toString('latin1')
  })
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return
    const now = Date.now()
    firstAt ||= now
    lastAt = now
    count += 1
    if (timed) {
      const at = body.indexOf('"sentAt":')
      if (at > 0) latencies.push(now - Number.parseInt(body.slice(at + 9, at + 22), 10))
    }
    if (request.url?.startsWith('/slow')) setTimeout(() => response.end(), 100)
    else response.end()
    if (count === target) report()
  })
})

function report(): void {
  answer({ count, firstAt, lastAt, latencies: [...latencies] })
}

/** A message: forget the webhooks that came, and answer once so many have come. */
process.on('message', (message: { target: number }) => {
  count = 0
  firstAt = 0
  latencies.length = 0
  target = message.target
})

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => answer({ port: (server.address() as AddressInfo).port }))
