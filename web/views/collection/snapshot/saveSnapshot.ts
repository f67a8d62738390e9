import type { ApiCall } from '../../../api/apiCall.ts'
import { ApiFault } from '../../../api/apiFault.ts'
import { readPart } from '../../../api/sendCall.ts'

/** A snapshot that the browser saves, by its headers. */
export type SavedSnapshot = {
  name: string
  block: string
  blockHash: string
  /** null: no holders. */
  root: string | null
  holders: string
  /** Input of `mintmark verify` besides the file. */
  facts: string | null
  incomplete: string | null
}

/** How long a browser may take to start saving a file. */
const heldMs = 60_000

/** Saves the response to `call` as a file. It is streamed into a blob, which the browser keeps outside of the page's memory. */
export async function saveSnapshot(
  call: ApiCall<unknown>,
  response: Response,
  { address, format, received }: { address: string; format: string; received(bytes: number): void },
): Promise<SavedSnapshot> {
  const header = (name: string) => response.headers.get(name)
  const block = header('x-snapshot-block')
  if (!response.body || block === null)
    throw new ApiFault('the server sent an empty response', { status: response.status })
  let bytes = 0
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      received(bytes)
      controller.enqueue(chunk)
    },
  })
  const name = `${address}-${block}.${format}`
  saveBlob(await readPart(call, new Response(response.body.pipeThrough(counted)).blob()), name)
  return {
    name,
    block,
    blockHash: header('x-snapshot-block-hash') ?? '',
    root: header('x-snapshot-root'),
    holders: header('x-snapshot-holders') ?? '0',
    facts: header('x-snapshot-facts'),
    incomplete: header('x-index-incomplete'),
  }
}

/** Makes the browser save a file under a name. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), heldMs)
}
