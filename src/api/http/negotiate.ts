/** Content-Encoding of a body. */
export type Encoding = 'br' | 'gzip' | 'identity'

type Offer = { value: string; q: number }

/** Items of a header such as Accept, with the weight of each (RFC 9110, 12.4.2). */
function offers(header: string): Offer[] {
  return header.split(',').map((item) => {
    const [value = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const q = weight === undefined ? 1 : Number(weight.slice(2))
    return { value, q: q >= 0 && q <= 1 ? q : 0 }
  })
}

/** Whether an Accept header allows `application/json`; the most specific range decides. */
function admitsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true
  const all = offers(accept)
  for (const range of ['application/json', 'application/*', '*/*']) {
    const found = all.filter((offer) => offer.value === range)
    if (found.length > 0) return found.some((offer) => offer.q > 0)
  }
  return false
}

/** The supported encoding with the largest weight in an Accept-Encoding header; brotli before gzip at equal weights. */
function bestEncoding(accept: string | undefined): Encoding {
  if (accept === undefined) return 'identity'
  const all = offers(accept)
  const weightOf = (name: string) =>
    (all.find((o) => o.value === name) ?? all.find((o) => o.value === '*' && name !== 'identity'))?.q ?? 0
  const br = weightOf('br')
  const gzip = Math.max(weightOf('gzip'), weightOf('x-gzip'))
  const identity = weightOf('identity')
  if (br > 0 && br >= gzip && br >= identity) return 'br'
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity'
}

export type Negotiate = {
  admitsJson(accept: string | undefined): boolean
  encoding(accept: string | undefined): Encoding
}

/** Caches results: clients send few different headers, and parsing one costs more than the rest of a 304. */
export function createNegotiate(): Negotiate {
  return { admitsJson: remember(admitsJson), encoding: remember(bestEncoding) }
}

function remember<T>(read: (header: string | undefined) => T): (header: string | undefined) => T {
  const known = new Map<string | undefined, T>()
  return (header) => {
    const found = known.get(header)
    if (found !== undefined) return found
    const value = read(header)
    if (known.size >= 256) known.clear()
    if (header === undefined || header.length <= 256) known.set(header, value)
    return value
  }
}
