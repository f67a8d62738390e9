/** Why a request failed, by the server's message, which may repeat untrusted text. Nothing where no request failed. */
export function Fault({ text }: { text: string | null | undefined }) {
  if (!text) return null
  return (
    <p class="failed" role="alert">
      <bdi>{text}</bdi>
    </p>
  )
}
