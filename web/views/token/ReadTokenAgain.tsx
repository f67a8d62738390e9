import { post } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { useSend } from '../../context/useSend.ts'
import { Button } from '../../parts/Button.tsx'
import type { TokenOf } from './tokenOf.ts'

/** Requests a refresh of the token's metadata. */
export function ReadTokenAgain({ chain, address, token, done }: TokenOf & { done(): void }) {
  const { toasts } = useServices()
  const { busy, send } = useSend()
  const call = post(
    '/api/v2/nft/{address}/{token_id}/metadata/resync',
    { path: { address, token_id: token }, query: { chain } },
    undefined,
  )
  const read = async () => {
    const answer = await send(call, toasts.failed)
    if (!answer) return
    toasts.done(
      answer.reason ? `Metadata refresh requested. Last error: ${answer.reason}` : 'Metadata refresh requested',
    )
    done()
  }
  return (
    <Button type="button" off={busy} onClick={read}>
      Refresh metadata
    </Button>
  )
}
