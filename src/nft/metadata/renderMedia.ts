/** What is known of a preview, as its row has it. */
export type MediaRow = [
  status: string,
  mimetype: string | null,
  category: string | null,
  parentHash: string | null,
  /** `{"low":{"width":…,"height":…,"url":"/media/…"},…}`. */
  sizes: string | null,
  updatedAt: Date,
]

/** `media` of a record as JSON text. `row` undefined: it was asked for just now. */
export function renderMedia(url: string, row: MediaRow | undefined, publicUrl: string): string {
  const [status, mimetype, category, parentHash, sizes, updatedAt] = row ?? [
    'processing',
    null,
    null,
    null,
    null,
    new Date(),
  ]
  const parts = [`"status":"${status}"`, `"original_media_url":${JSON.stringify(url)}`]
  if (mimetype !== null) parts.push(`"mimetype":${JSON.stringify(mimetype)}`)
  if (category !== null) parts.push(`"category":${JSON.stringify(category)}`)
  if (parentHash !== null) parts.push(`"parent_hash":"${parentHash}"`)
  parts.push(`"updatedAt":"${updatedAt.toISOString()}"`)
  if (sizes !== null)
    parts.push(`"media_collection":${sizes.replaceAll('"url":"/', `"url":${JSON.stringify(publicUrl).slice(0, -1)}/`)}`)
  return `{${parts.join(',')}}`
}
