/** Why a request failed, in the server's words, which may repeat what strangers wrote. Nothing where none did. */
export function Fault({ text }: { text: string | null | undefined }) {
  if (!text) return null
  return (
    <p class="failed" role="alert">
      <bdi>{text}</bdi>
    </p>
  )
}
