import type { Client } from 'openapi-fetch'
import type { paths } from '../../../web/api/openapi.artifact.ts'

export async function* walkWithTypes(mintmark: Client<paths>, address: string, chain: string) {
  const read = (cursor: string) =>
    mintmark.GET('/api/v2/nft/{address}', {
      params: { path: { address }, query: { chain, ...(cursor && { cursor }) } },
    })
  for (let cursor = ''; ; ) {
    const { data, error } = await read(cursor)
    if (error) throw new Error(error.message)
    yield* data.result
    if (data.cursor === null) return
    cursor = data.cursor
  }
}
