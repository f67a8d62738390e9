/** The name by which each address is told: its host, told apart by a number where several share it. Paths and queries hold keys. */
export function nameEndpoints(urls: readonly string[]): { url: string; name: string }[] {
  const seen = new Map<string, number>()
  return urls.map((url) => {
    const { host } = new URL(url)
    const nth = (seen.get(host) ?? 0) + 1
    seen.set(host, nth)
    return { url, name: nth === 1 ? host : `${host}#${nth}` }
  })
}
