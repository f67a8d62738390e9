import type { Answered, WorldClient } from './worldClient.ts'

export type Walked<T> = { items: T[]; first: Answered } | { cut: Answered | undefined }

/** Reads all items of a list, page by page. `cut`: the response that was not a page; undefined if there was none. */
export async function walk<T>(client: WorldClient, path: string): Promise<Walked<T>> {
  const items: T[] = []
  let first: Answered | undefined
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await client.request(cursor ? `${path}&cursor=${encodeURIComponent(cursor)}` : path)
    if (answer?.status !== 200) return { cut: answer }
    first ??= answer
    const body = JSON.parse(answer.text) as { result: T[]; cursor: string | null }
    for (const item of body.result) items.push(item)
    cursor = body.cursor
  }
  return { items, first: first! }
}
