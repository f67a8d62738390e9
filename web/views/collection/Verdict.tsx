import { type components, post } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { useSend } from '../../context/useSend.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { Field } from '../../parts/Field.tsx'
import { Empty } from '../../parts/Shown.tsx'

type Judged = components['schemas']['Verdict']
type OverrideChoice = 'yes' | 'no' | 'auto'

/** The spam and verified status of the collection, the reasons, and the operator's override. */
export function Verdict({
  chain,
  address,
  of: { possibleSpam, verified, score, reasons, spamOverride, verifiedOverride, assessedAt },
  changed,
}: {
  chain: string
  address: string
  of: Judged
  changed(): void
}) {
  const { toasts } = useServices()
  const { busy, fault, send } = useSend()
  const flag = async (body: { spam?: OverrideChoice; verified?: OverrideChoice }) => {
    const answer = await send(post('/admin/collections/{chain}/{address}/flag', { path: { chain, address } }, body))
    if (!answer) return
    toasts.done('Override saved: all pages show it now')
    changed()
  }
  return (
    <Card
      title="Spam and verification"
      actions={
        <span class="badges">
          <Badge kind={possibleSpam ? 'warn' : 'plain'}>{possibleSpam ? 'spam' : 'not spam'}</Badge>
          <Badge kind={verified ? 'good' : 'plain'}>{verified ? 'verified' : 'not verified'}</Badge>
        </span>
      }
    >
      <p>
        Spam score {score} of 100 (default threshold: 50).{' '}
        {assessedAt ? (
          <>
            Assessed <Ago at={assessedAt} />.
          </>
        ) : (
          'Not assessed yet.'
        )}
      </p>
      {reasons.length === 0 ? (
        <Empty>No list contains the collection, and no rule applies.</Empty>
      ) : (
        <ul aria-label="Reasons">
          {reasons.map((reason) => (
            <li key={reason}>
              <bdi class="words">{reason}</bdi>
            </li>
          ))}
        </ul>
      )}
      <Fault text={fault} />
      <div class="verdict">
        <Field label="Override: spam">
          <OverrideSelect is={spamOverride} disabled={busy} choose={(spam) => flag({ spam })} />
        </Field>
        <Field label="Override: verified">
          <OverrideSelect is={verifiedOverride} disabled={busy} choose={(choice) => flag({ verified: choice })} />
        </Field>
      </div>
    </Card>
  )
}

function OverrideSelect({
  is,
  choose,
  ...rest
}: {
  is: boolean | null
  disabled: boolean
  choose(choice: OverrideChoice): void
}) {
  const value = is === null ? 'auto' : is ? 'yes' : 'no'
  return (
    <select {...rest} value={value} onChange={(event) => choose(event.currentTarget.value as OverrideChoice)}>
      <option value="auto">none: lists and rules decide</option>
      <option value="yes">yes</option>
      <option value="no">no</option>
    </select>
  )
}
