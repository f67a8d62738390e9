import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer, childInput } from './child.ts'
import { kilobyteMetadata, syntheticMetadata } from './syntheticContract.ts'

/** A host of token metadata on loopback, in a separate process. It responds `delayMs` after each request. */
export type MetadataHostInput = { delayMs: number; documents?: 'kilobyte' }
export type MetadataHostAddress = { url: string }

const { delayMs, documents } = childInput<MetadataHostInput>()
const write = documents === 'kilobyte' ? kilobyteMetadata : syntheticMetadata
const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  const body = write(request.url!.slice(1))
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  }, delayMs)
})
server.listen(0, '127.0.0.1', () => answer({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
