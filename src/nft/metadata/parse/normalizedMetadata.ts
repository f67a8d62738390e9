/** Metadata in the form of answers: `normalized_metadata` of a record. */
export type NormalizedMetadata = {
  name: string | null
  description: string | null
  /** The URL in the metadata, with `{id}` replaced if the token is known, or a data: URI. Not fetched. */
  image: string | null
  /** Two names for one value: each is filled from the other if the metadata has only one. */
  external_link: string | null
  external_url: string | null
  animation_url: string | null
  /** Empty where the metadata has none. */
  attributes: NormalizedAttribute[]
}

export type Scalar = string | number | boolean

export type NormalizedAttribute = {
  trait_type: string | null
  value: Scalar | null
  display_type: string | null
  max_value: string | number | null
  /** Number of tokens of the collection with this trait. Always null here; filled in when a record is read. */
  trait_count: number | null
  order: number | null
}
