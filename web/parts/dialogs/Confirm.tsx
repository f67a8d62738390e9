import type { ComponentChildren } from 'preact'
import type { ApiCall } from '../../api/apiCall.ts'
import type { Sending } from '../../context/useSend.ts'
import { AsCurl } from '../AsCurl.tsx'
import { Button } from '../Button.tsx'
import { Fault } from '../Fault.tsx'
import { Dialog } from './Dialog.tsx'

/** Prompts before an action. `confirm` sends `calls`; `sending` is their state. */
export function Confirm(options: {
  title: ComponentChildren
  /** Effect of the action. */
  children: ComponentChildren
  /** The button's label. */
  action: string
  kind: 'danger' | 'main'
  calls: readonly ApiCall<unknown>[]
  sending: Pick<Sending, 'busy' | 'fault'>
  confirm(): void
  close(): void
}) {
  const { title, children, action, kind, calls, sending, confirm, close } = options
  return (
    <Dialog title={title} busy={sending.busy} close={close}>
      <p>{children}</p>
      <Fault text={sending.fault} />
      <div class="actions">
        <Button type="button" class={kind} off={sending.busy} onClick={confirm}>
          {action}
        </Button>
        <Button type="button" off={sending.busy} onClick={close}>
          Cancel
        </Button>
      </div>
      <AsCurl calls={calls} />
    </Dialog>
  )
}
