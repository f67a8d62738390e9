import { createSocket } from 'node:dgram'

/** The addresses of names; a function is called for each question, so that the addresses of a name can change. */
export type Zone = Record<string, readonly string[] | (() => readonly string[])>

export type NameServer = {
  /** The address for `Resolver.setServers`. */
  address: string
  /** The questions received (name and type), in order. */
  questions: string[]
  [Symbol.asyncDispose](): Promise<void>
}

/** A DNS server over UDP on loopback. It returns the A and AAAA records of its zone with a TTL of 0, and NXDOMAIN for all other names. */
export async function createNameServer(zone: Zone): Promise<NameServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, peer) => {
    const labels: string[] = []
    let at = 12
    for (let length = message[at++]!; length > 0; length = message[at++]!) {
      labels.push(message.toString('latin1', at, at + length))
      at += length
    }
    const name = labels.join('.').toLowerCase()
    const type = message.readUInt16BE(at)
    questions.push(`${name} ${type === 1 ? 'A' : type === 28 ? 'AAAA' : type}`)
    const entry = zone[name]
    const addresses = (typeof entry === 'function' ? entry() : (entry ?? [])).filter(
      (address) => address.includes(':') === (type === 28),
    )
    const head = Buffer.alloc(12)
    head.writeUInt16BE(message.readUInt16BE(0), 0)
    head.writeUInt16BE(entry ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(addresses.length, 6)
    const records = addresses.map((address) => {
      const data = type === 1 ? Buffer.from(address.split('.').map(Number)) : groups(address)
      const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
      return Buffer.concat([record, data])
    })
    socket.send(Buffer.concat([head, message.subarray(12, at + 4), ...records]), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

/** The 16 bytes of an IPv6 address, whose zero groups may be compressed. */
function groups(address: string): Buffer {
  const [left = '', right = ''] = address.split('::')
  const parse = (text: string) => text.split(':').filter((group) => group !== '')
  const missing = 8 - parse(left).length - parse(right).length
  const all = [...parse(left), ...Array<string>(missing).fill('0'), ...parse(right)]
  return Buffer.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]))
}
