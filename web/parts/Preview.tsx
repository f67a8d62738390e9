import type { components } from '../api/apiCall.ts'

export type PreviewProps = {
  url: string | null | undefined
  /** Empty if the same text is beside the image. */
  alt: string
  size: number
}

/** A preview image, from this server only. Any other address shows a placeholder. */
export function Preview({ url, alt, size }: PreviewProps) {
  const path = previewPath(url)
  if (path !== undefined) return <img src={path} alt={alt} width={size} height={size} loading="lazy" decoding="async" />
  if (alt === '') return <span class="no-preview" aria-hidden="true" />
  return <span class="no-preview" role="img" aria-label={`${alt}: no preview image`} />
}

/** Responses contain the server's public address, which can differ from the address of the console. */
function previewPath(url: string | null | undefined): string | undefined {
  return /\/media\/[0-9a-f]{64}\/(?:low|medium|high)\.webp$/.exec(url ?? '')?.[0]
}

const labels: Record<string, string> = {
  success: '',
  processing: 'preview image in progress',
  unsupported_media: 'no preview image',
  invalid_url: 'no image URL',
  host_unavailable: 'host sends no image',
  temporarily_unavailable: 'temporarily unavailable',
}

type Shown = Pick<components['schemas']['Nft'], 'media' | 'last_metadata_sync'>

/** Why a record has no preview, by the status of its media. Without an image in its metadata it has no media. */
export function previewMessage({ media, last_metadata_sync: readAt }: Shown): string {
  if (media) return labels[media.status] ?? media.status.replaceAll('_', ' ')
  return readAt ? 'no image' : 'metadata not fetched yet'
}
