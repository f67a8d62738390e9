import { connect } from 'node:net'
import { answer } from './child.ts'
import { median } from './figure.ts'

/**
 * A load generator over bare sockets: it counts bytes and reads nothing, so that it costs less than what it measures. One
 * request under way a connection; the next one of the list is sent when the answer is complete.
 */
export type LoadJob = { port: number; requests: string[]; status: number; connections: number; seconds: number }
export type LoadResult = { perSecond: number; medianMs: number; p99Ms: number; bytes: number }

process.on('message', (job: LoadJob) => void run(job).then(answer))

async function run({ port, requests, status, connections, seconds }: LoadJob): Promise<LoadResult> {
  const payloads = requests.map((text) => Buffer.from(text, 'latin1'))
  const times: number[] = []
  let bytes = 0
  let turn = 0
  const warm = performance.now() + 500
  const end = warm + seconds * 1_000

  await Promise.all(
    Array.from({ length: connections }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      let head: Buffer = Buffer.alloc(0)
      let rest = 0
      let sentAt = 0
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(262_144),
          callback(size, buffer) {
            if (sentAt >= warm) bytes += size
            if (rest > 0) rest -= size
            else {
              const seen = Buffer.from(buffer.buffer, buffer.byteOffset, size)
              head = head.length === 0 ? seen : Buffer.concat([head, seen])
              const over = head.indexOf('\r\n\r\n')
              if (over < 0) {
                head = Buffer.from(head)
                return true
              }
              rest = bodyLength(head.toString('latin1', 0, over)) - (head.length - over - 4)
              head = Buffer.alloc(0)
            }
            if (rest < 0) socket.destroy(new Error('more was answered than asked'))
            if (rest === 0) finish()
            return true
          },
        },
      })
      function bodyLength(text: string): number {
        if (Number(text.slice(9, 12)) !== status) throw new Error(`answered ${text}`)
        const length = /\r\ncontent-length: *(\d+)/i.exec(text)
        if (!length && status !== 304) throw new Error(`without a length: ${text}`)
        return status === 304 ? 0 : Number(length![1])
      }
      function send() {
        sentAt = performance.now()
        socket.write(payloads[turn++ % payloads.length]!)
      }
      function finish() {
        const now = performance.now()
        if (sentAt >= warm && now < end) times.push(now - sentAt)
        if (now < end) send()
        else socket.end()
      }
      socket.once('connect', send)
      socket.once('error', reject)
      socket.once('close', () => resolve())
      return promise
    }),
  )
  times.sort((a, b) => a - b)
  return {
    perSecond: times.length / seconds,
    medianMs: median(times),
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    bytes: bytes / times.length,
  }
}
