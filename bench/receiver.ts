import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from './child.ts'

/**
 * A receiver of webhooks that reads each and responds with 200: after 100 ms on /slow, never on /hang. It first sends its port. For each
 * message it later sends how many webhooks came and when the first and the last came, in milliseconds since 1970.
 */
let count = 0
let firstAt = 0
let lastAt = 0
/** Milliseconds between `sentAt` in a webhook and its arrival, for the path /timed. */
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

/** A message makes the receiver forget earlier webhooks, and report once `target` new ones have come. */
process.on('message', (message: { target: number }) => {
  count = 0
  firstAt = 0
  latencies.length = 0
  target = message.target
})

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => answer({ port: (server.address() as AddressInfo).port }))
