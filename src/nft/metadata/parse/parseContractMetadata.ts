import { cleanText } from './cleanText.ts'
import { normalizeMetadata } from './normalizeMetadata.ts'
import { isObject, readKey } from './readKey.ts'
import { readUrl } from './readUrl.ts'

/** Metadata of a contract about its collection (ERC-7572), with the size limits of tokens' texts. */
export type ContractMetadataJson = {
  name: string | null
  description: string | null
  image: string | null
  bannerImage: string | null
  externalLink: string | null
}

export const noContractMetadata: ContractMetadataJson = {
  ...{ name: null, description: null, image: null, bannerImage: null, externalLink: null },
}

/** Every record of a token contains these, so longer texts are truncated, and longer inline images are dropped. */
const maxDescription = 2_000
const maxDataUri = 2_048

const bannerKeys = ['banner_image', 'banner_image_url', 'bannerImage', 'bannerImageUrl', 'banner']

/** Parses any JSON value; never throws. */
export function parseContractMetadata(value: unknown): ContractMetadataJson {
  const { name, description, image, external_link } = normalizeMetadata(value)
  const banner = isObject(value) ? readKey(value, bannerKeys) : null
  return {
    name: name || null,
    description: description ? cleanText(description, maxDescription) : null,
    image: image?.startsWith('data:') && image.length > maxDataUri ? null : image,
    bannerImage: readUrl(banner, { tokenId: null, maxDataUri }),
    externalLink: external_link,
  }
}
