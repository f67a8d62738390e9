/** The server's error message, which may contain untrusted text. Empty without an error. */
export function Fault({ text }: { text: string | null | undefined }) {
  if (!text) return null
  return (
    <p class="failed" role="alert">
      <bdi>{text}</bdi>
    </p>
  )
}
