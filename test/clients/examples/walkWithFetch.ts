type Page = { result: { token_id: string; owner_of: string | null }[]; cursor: string | null; message?: string }

export async function* walkWithFetch(mintmark: string, key: string, address: string, chain: string) {
  const url = new URL(`/api/v2/nft/${address}?chain=${chain}`, mintmark)
  for (;;) {
    const response = await fetch(url, { headers: { 'X-API-Key': key } })
    const page = (await response.json()) as Page
    if (response.status === 429 || response.status === 503) {
      const seconds = Number(response.headers.get('retry-after') ?? 1)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
      continue
    }
    if (!response.ok) throw new Error(page.message)
    yield* page.result
    if (page.cursor === null) return
    url.searchParams.set('cursor', page.cursor)
  }
}
