import { useLayoutEffect, useState } from 'preact/hooks'
import { type components, post } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { useSend } from '../../context/useSend.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
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
  const [chosen, setChosen] = useState<{ spam?: OverrideChoice; verified?: OverrideChoice }>({})
  // The choice stays until the verdict that is shown has it.
  useLayoutEffect(() => setChosen({}), [spamOverride, verifiedOverride])
  const spam = chosen.spam ?? choiceOf(spamOverride)
  const isVerified = chosen.verified ?? choiceOf(verifiedOverride)
  const isSame = spam === choiceOf(spamOverride) && isVerified === choiceOf(verifiedOverride)
  const flag = async (event: SubmitEvent) => {
    event.preventDefault()
    const answer = await send(post('/admin/collections/{chain}/{address}/flag', { path: { chain, address } }, chosen))
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
      {/* With a button, as the arrow keys select every choice on the way to another. */}
      <form class="fields" onSubmit={flag}>
        <div class="verdict">
          <Field label="Override: spam">
            <OverrideSelect is={spam} busy={busy} choose={(choice) => setChosen({ ...chosen, spam: choice })} />
          </Field>
          <Field label="Override: verified">
            <OverrideSelect
              is={isVerified}
              busy={busy}
              choose={(choice) => setChosen({ ...chosen, verified: choice })}
            />
          </Field>
        </div>
        <div class="actions">
          <Button type="submit" off={busy || isSame}>
            Save override
          </Button>
        </div>
      </form>
    </Card>
  )
}

function choiceOf(override: boolean | null): OverrideChoice {
  return override === null ? 'auto' : override ? 'yes' : 'no'
}

function OverrideSelect({
  is,
  busy,
  choose,
  ...rest
}: {
  is: OverrideChoice
  busy: boolean
  choose(choice: OverrideChoice): void
}) {
  return (
    <select
      {...rest}
      value={is}
      disabled={busy}
      onChange={(event) => choose(event.currentTarget.value as OverrideChoice)}
    >
      <option value="auto">none: lists and rules decide</option>
      <option value="yes">yes</option>
      <option value="no">no</option>
    </select>
  )
}
