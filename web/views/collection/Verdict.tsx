import { useState } from 'preact/hooks'
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
  const flag = async (event: SubmitEvent) => {
    event.preventDefault()
    const answer = await send(post('/admin/collections/{chain}/{address}/flag', { path: { chain, address } }, chosen))
    if (!answer) return
    setChosen({})
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
            <OverrideSelect
              is={chosen.spam ?? choiceOf(spamOverride)}
              choose={(spam) => setChosen({ ...chosen, spam })}
            />
          </Field>
          <Field label="Override: verified">
            <OverrideSelect
              is={chosen.verified ?? choiceOf(verifiedOverride)}
              choose={(choice) => setChosen({ ...chosen, verified: choice })}
            />
          </Field>
        </div>
        <div class="actions">
          <Button type="submit" off={busy || Object.keys(chosen).length === 0}>
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

function OverrideSelect({ is, choose, ...rest }: { is: OverrideChoice; choose(choice: OverrideChoice): void }) {
  return (
    <select {...rest} value={is} onChange={(event) => choose(event.currentTarget.value as OverrideChoice)}>
      <option value="auto">none: lists and rules decide</option>
      <option value="yes">yes</option>
      <option value="no">no</option>
    </select>
  )
}
