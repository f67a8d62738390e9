import { InvalidArgumentError } from 'commander'

/** An argument that is an address to speak HTTP with. */
export function parseHttpAddress(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new InvalidArgumentError('It must be an http:// or https:// address.')
  return text
}
