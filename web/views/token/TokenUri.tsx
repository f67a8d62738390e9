/** Untrusted text in a box that scrolls: a data: URI can contain a whole image. */
export function TokenUri({ uri }: { uri: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="uri" aria-label="Token URI" tabIndex={0}>
      <bdi>{uri}</bdi>
    </section>
  )
}
