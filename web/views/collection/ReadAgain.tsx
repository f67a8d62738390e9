import { put } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { useSend } from '../../context/useSend.ts'
import { Button } from '../../parts/Button.tsx'

/** Requests a refresh of all tokens' metadata. */
export function ReadAgain({ chain, address, done }: { chain: string; address: string; done(): void }) {
  const { toasts } = useServices()
  const { busy, send } = useSend()
  const call = put('/api/v2/nft/{address}/sync', { path: { address }, query: { chain } }, undefined)
  const read = async () => {
    const answer = await send(call, toasts.failed)
    if (!answer) return
    toasts.done('Metadata refresh requested: it runs at most once in ten minutes')
    done()
  }
  return (
    <Button type="button" off={busy} onClick={read}>
      Refresh metadata
    </Button>
  )
}
