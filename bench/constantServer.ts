import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer, childInput } from './child.ts'

/** The minimal cost of HTTP in Node: a server that sends one constant buffer for every request. */
export type ConstantInput = { file: string; headers: Record<string, string> }

const { file, headers } = childInput<ConstantInput>()
const body = readFileSync(file)
const server = createServer((_, response) => {
  response.writeHead(200, { ...headers, 'content-length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => answer({ port: (server.address() as AddressInfo).port }))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
