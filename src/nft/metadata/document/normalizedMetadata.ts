/** Metadata in the one shape that clients see: `normalized_metadata` of a record. */
export type NormalizedMetadata = {
  name: string | null
  description: string | null
  /** An address as the metadata gives it, with `{id}` replaced where the token is known, or a data: URI. Nothing was fetched from it. */
  image: string | null
  /** The two names of one thing: each is filled from the other where the metadata has only one of them. */
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
  /** How many tokens of the collection have this trait. Always null here: it is filled in when a record is read. */
  trait_count: number | null
  order: number | null
}
