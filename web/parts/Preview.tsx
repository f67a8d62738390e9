import type { components } from '../api/apiCall.ts'

export type PreviewProps = {
  url: string | null | undefined
  /** Empty if the same text is beside the picture. */
  alt: string
  size: number
}

/** The preview of a token's media, from this server alone. Anything that is not an address of a preview shows as an empty place. */
export function Preview({ url, alt, size }: PreviewProps) {
  const path = previewPath(url)
  if (path !== undefined) return <img src={path} alt={alt} width={size} height={size} loading="lazy" decoding="async" />
  if (alt === '') return <span class="no-preview" aria-hidden="true" />
  return <span class="no-preview" role="img" aria-label={`${alt}: no preview image`} />
}

/** Answers name previews with the public address of the server, which is not always the one that the console is opened at. */
function previewPath(url: string | null | undefined): string | undefined {
  return /\/media\/[0-9a-f]{64}\/(?:low|medium|high)\.webp$/.exec(url ?? '')?.[0]
}

const words: Record<string, string> = {
  success: '',
  processing: 'preview image in progress',
  unsupported_media: 'no picture',
  invalid_url: 'no image URL',
  host_unavailable: 'host is unreachable',
  temporarily_unavailable: 'temporarily unavailable',
}

type Shown = Pick<components['schemas']['Nft'], 'media' | 'last_metadata_sync'>

/** Why a record has no preview: by the status of its media. It has no media if its metadata has no image or was not read. */
export function previewWords({ media, last_metadata_sync: readAt }: Shown): string {
  if (media) return words[media.status] ?? media.status.replaceAll('_', ' ')
  return readAt ? 'no picture' : 'metadata not fetched yet'
}
