import { hash } from 'node:crypto'

/** Multicall3, at the same place on most chains. */
export const multicallAddress = '0xca11bde05977b3631167028862be2a173976ca11'

const word = (value: number) => value.toString(16).padStart(64, '0')
const padded = (hex: string) => hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')
const encodeText = (text: string) => {
  const hex = Buffer.from(text, 'utf8').toString('hex')
  return word(32) + word(hex.length / 2) + padded(hex)
}
/** Ids of ERC-165: ERC-165 itself, and the standard with its metadata extension. */
const interfaces = { erc721: ['01ffc9a7', '80ac58cd', '5b5e139f'], erc1155: ['01ffc9a7', 'd9b67a26', '0e89341c'] }
const symbol = encodeText('SYN')

/**
 * Where the metadata of a token is. `host`: the id is the last part of the path. `data`: the URI contains it. `nowhere`: its scheme
 * is unsupported.
 */
export type TokenUris =
  | { at: 'ipfs' }
  | { at: 'host'; url: string }
  | { at: 'data'; padding?: number }
  | { at: 'nowhere' }

/** `multiple`: the contract is an ERC-1155, otherwise an ERC-721. */
export type SyntheticContract = { name: string; uris?: TokenUris | undefined; multiple: boolean }

/** Returns the synthetic contract's result for calldata, both as hex without 0x; undefined if the call reverts. */
export function callContract(calldata: string, contract: SyntheticContract): string | undefined {
  const { name, uris = { at: 'ipfs' }, multiple } = contract
  switch (calldata.slice(0, 8)) {
    case '01ffc9a7':
      return word(interfaces[multiple ? 'erc1155' : 'erc721'].includes(calldata.slice(8, 16)) ? 1 : 0)
    case '06fdde03':
      return encodeText(name)
    case '95d89b41':
      return symbol
    case multiple ? '0e89341c' : 'c87b56dd':
      return encodeText(tokenUri(uris, BigInt(`0x${calldata.slice(8)}`)))
    default:
      return undefined
  }
}

function tokenUri(uris: TokenUris, id: bigint): string {
  if (uris.at === 'ipfs') return `ipfs://bafybeihpjhkeuiq3k6nqa3fkgeigeri7iebtrsuyuey5y6vy36n345xmbi/${id}`
  if (uris.at === 'host') return `${uris.url}/${id}`
  // The URI is as long as the others, and the service rejects it without a request.
  if (uris.at === 'nowhere') return `nowhere:${'x'.repeat(59)}/${id}`
  const document = syntheticMetadata(String(id)).replace('{', `{"padding":"${'x'.repeat(uris.padding ?? 0)}",`)
  return `data:application/json;base64,${Buffer.from(document).toString('base64')}`
}

const colours = ['Red', 'Green', 'Blue', 'Gold', 'Grey', 'Teal', 'Plum', 'Rust']
const description = 'One of ten thousand synthetic apes, each drawn by the same few lines of code. '.repeat(3)

/** Metadata of a token as real collections have it: 0.8 kB with six traits. */
export function syntheticMetadata(id: string): string {
  const seed = Number(id)
  const attributes = ['Background', 'Fur', 'Eyes', 'Mouth', 'Hat', 'Clothes'].map((trait_type, i) => ({
    trait_type,
    value: `${colours[(seed >> i) % 8]} ${trait_type}`,
  }))
  const image = `https://images.example/apes/${id}.png`
  return JSON.stringify({ name: `Synthetic Ape #${id}`, description, image, attributes })
}

/** Metadata of 1 kB as collection generators write it, with five traits of 10 to 46 values each. */
export function kilobyteMetadata(id: string): string {
  const seed = Number(id)
  const attributes = ['Background', 'Fur', 'Eyes', 'Mouth', 'Hat'].map((trait_type, i) => ({
    trait_type,
    value: `${colours[(seed >> i) % 8]} ${trait_type} ${(seed * 7 + i) % (10 + i * 9)}`,
  }))
  const image = `https://images.example/apes/${id}.png`
  const files = [{ uri: image, type: 'image/png' }]
  const creators = [{ address: `0x${'5c'.repeat(20)}`, share: 100 }]
  return JSON.stringify({
    name: `Ape #${id}`,
    description,
    image,
    dna: hash('sha1', id),
    edition: seed,
    date: 1_650_000_000_000 + seed,
    external_url: `https://apes.example/apes/${id}`,
    attributes,
    properties: { category: 'image', files, creators },
    compiler: 'an engine of generated art',
  })
}

/** Multicall3's `aggregate3` over `call(target, calldata)`. It parses calldata itself, as an ABI library would cost more than the measured work. */
export function aggregate3(
  calldata: string,
  call: (target: string, calldata: string) => string | undefined,
): string | undefined {
  if (calldata.slice(0, 8) !== '82ad56cb') return undefined
  const args = calldata.slice(8)
  const at = (digit: number) => Number.parseInt(args.slice(digit, digit + 64), 16)
  const list = at(0) * 2
  const count = at(list)
  const base = list + 64
  const heads: string[] = []
  const tails: string[] = []
  let offset = count * 32
  for (let i = 0; i < count; i++) {
    const entry = base + at(base + i * 64) * 2
    const bytes = entry + at(entry + 128) * 2
    const target = `0x${args.slice(entry + 24, entry + 64)}`
    const result = call(target, args.slice(bytes + 64, bytes + 64 + at(bytes) * 2))
    const tail = word(result === undefined ? 0 : 1) + word(64) + word((result ?? '').length / 2) + padded(result ?? '')
    heads.push(word(offset))
    tails.push(tail)
    offset += tail.length / 2
  }
  return word(32) + word(count) + heads.join('') + tails.join('')
}
