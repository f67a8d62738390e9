import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { Sql } from '../database.ts'
import { SessionClient } from '../sessionClient.ts'
import type { RowMemory } from './rowMemory.ts'

/** The columns of a row, bytea and texts (UTF-8), as received bytes; null: NULL. */
export type ByteRow = (Buffer | null)[]

export type ByteReader = {
  /** Rows of one statement, prepared once per connection, without decoding. Each column is a bytea or a text. */
  bytes(text: string, values?: unknown[]): Promise<ByteRow[]>
  /** Memory for data made from rows, not cleared. */
  take(size: number): Buffer
  /** Marks the columns of a row, or a taken buffer, as no longer read. A caller that omits it only costs memory. */
  giveBack(row: ByteRow): void
}

/** A ByteReader over a decoding connection. */
export function bytesOf(sql: Sql): ByteReader {
  return {
    async bytes(text, values) {
      const rows = await sql.rows<(string | Buffer | null)[]>(text, values)
      return rows.map((row) => row.map((column) => (typeof column === 'string' ? Buffer.from(column) : column)))
    },
    take: (size) => Buffer.allocUnsafe(size),
    giveBack: () => undefined,
  }
}

/** Parsers of `pg` for a client that keeps bytes: values are returned as received. */
export const undecoded: pg.CustomTypesConfig = { getTypeParser: () => (value: string) => value }

/** Parsers of `pg` for a client that keeps bytes: values are decoded as usual. */
export function decoded(types: pg.CustomTypesConfig): pg.CustomTypesConfig {
  const known = new Map<number, (value: Buffer) => unknown>()
  return {
    getTypeParser(oid) {
      let parse = known.get(oid)
      if (!parse) {
        const parseText = types.getTypeParser(oid, 'text') as (value: string) => unknown
        parse = (value) => parseText(value.toString('utf8'))
        known.set(oid, parse)
      }
      return parse as never
    },
  }
}

/** The connection inside each `pg` client. */
type Connection = EventEmitter & { attachListeners(stream: Readable): void }

/** Most bytes that a socket reads at once: a page without metadata has 66 kB. */
const readBytes = 131_072

/**
 * A client of `pg` that keeps the columns of rows as bytes for its parsers. `pg` decodes every column to a string. For a page of 170 kB, decoding and
 * encoding take 0.6 ms, or 1.9 ms with one non-ASCII character. Other messages go to `pg` unchanged.
 * Without TLS the socket reads into one reused buffer. New memory outside of V8's heap makes V8 mark the whole heap every few hundred pages. That
 * took half of the page rate on two cores.
 */
export function createByteClient(config: pg.ClientConfig, memory: RowMemory): pg.Client {
  let onChunk: (chunk: Buffer) => void = () => undefined
  let plain: Socket | undefined
  function stream({ ssl }: { ssl?: unknown } = {}): Socket {
    if (ssl) return new Socket()
    plain = new Socket({
      onread: {
        buffer: Buffer.allocUnsafeSlow(readBytes),
        callback(length: number, buffer: Buffer) {
          onChunk(buffer.subarray(0, length))
          return true
        },
      },
    } as object)
    return plain
  }
  const client = new SessionClient({ ...config, stream: stream as () => Socket })
  const { connection } = client as unknown as { connection: Connection }
  const attach = connection.attachListeners
  connection.attachListeners = (source) => {
    const others = new EventEmitter() as Readable
    attach.call(connection, others)
    onChunk = createRowSplitter({
      memory,
      onRow: (fields) => connection.emit('dataRow', { name: 'dataRow', fieldCount: fields.length, fields }),
      onOther: (bytes) => others.emit('data', bytes),
    })
    if (source !== plain) source.on('data', onChunk)
    source.on('end', () => others.emit('end'))
  }
  return client
}

const dataRow = 'D'.charCodeAt(0)
/** The code of a message and its length, which includes itself but not the code. */
const headLength = 5
const nothing = Buffer.alloc(0)

/**
 * Extracts the rows from a server's messages, however these are split into chunks. Rows and messages are copied, so that the memory of a chunk can be
 * reused. Source: PostgreSQL, Message Formats.
 */
export function createRowSplitter(options: {
  memory: RowMemory
  onRow(fields: ByteRow): void
  /** Complete messages and parts of them, in order. */
  onOther(bytes: Buffer): void
}): (chunk: Buffer) => void {
  const { memory, onRow } = options
  const onOther = (bytes: Buffer) => options.onOther(Buffer.from(bytes))
  /** The head of a message that is incomplete so far. */
  let head: Buffer = nothing
  /** A row of which only the first part was received, and its length so far. */
  let row: Buffer | undefined
  let filled = 0
  /** Remaining bytes of a message that is not a row. */
  let passing = 0

  return (came) => {
    const chunk = head.length === 0 ? came : Buffer.concat([head, came])
    head = nothing
    let at = 0
    if (row) {
      at = chunk.copy(row, filled)
      filled += at
      if (filled < row.length) return
      const whole = row
      row = undefined
      onRow(fieldsOf(whole))
    }
    /** From here to `at` there are only messages that are not rows. */
    let from = at
    const passed = Math.min(passing, chunk.length - at)
    passing -= passed
    at += passed
    while (at + headLength <= chunk.length) {
      const end = at + 1 + chunk.readUInt32BE(at + 1)
      if (chunk[at] !== dataRow) {
        passing = Math.max(0, end - chunk.length)
        at = end - passing
        continue
      }
      if (at > from) onOther(chunk.subarray(from, at))
      at += headLength
      const next = memory.take(end - at)
      const copied = chunk.copy(next, 0, at, Math.min(end, chunk.length))
      if (end > chunk.length) {
        row = next
        filled = copied
        return
      }
      onRow(fieldsOf(next))
      at = end
      from = end
    }
    if (at > from) onOther(chunk.subarray(from, at))
    if (at < chunk.length) head = Buffer.from(chunk.subarray(at))
  }
}

function fieldsOf(row: Buffer): ByteRow {
  const fields: ByteRow = new Array(row.readUInt16BE(0))
  let at = 2
  for (let i = 0; i < fields.length; i++) {
    const length = row.readInt32BE(at)
    at += 4
    fields[i] = length < 0 ? null : row.subarray(at, at + length)
    at += Math.max(0, length)
  }
  return fields
}
