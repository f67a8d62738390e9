/**
 * The name by which each address is told, wherever it is told: its host, and where several share it, a number by its place in
 * the configuration. Users, paths and queries hold keys. No hash of them either: a password that was chosen by a person is found
 * by trying, and a number tells two addresses apart as well.
 */
export function nameEndpoints(urls: readonly string[]): { url: string; name: string }[] {
  const seen = new Map<string, number>()
  return urls.map((url) => {
    const { host } = new URL(url)
    const nth = (seen.get(host) ?? 0) + 1
    seen.set(host, nth)
    return { url, name: nth === 1 ? host : `${host}#${nth}` }
  })
}
