import { percentDecoded } from './percentDecoded.ts'

/** The `Authorization` header that the user and password in an address stand for (RFC 7617); undefined where it has none. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString('base64')}`
}
