import { type Chain, chainName } from '../../../context/useChains.ts'
import { Card } from '../../../parts/Card.tsx'
import { Field } from '../../../parts/Field.tsx'
import { EventFields } from './EventFields.tsx'
import { addressesFault, headersFault, type StreamForm } from './streamForm.ts'

export type StreamFieldsProps = {
  form: StreamForm
  change(values: Partial<StreamForm>): void
  chains: readonly Chain[]
  /** An existing stream has its addresses and secret on its page. */
  isNew: boolean
}

type Flag = {
  [Name in keyof StreamForm]: StreamForm[Name] extends boolean ? Name : never
}[keyof StreamForm]

const included: readonly [name: Flag, label: string][] = [
  ['includeContractLogs', 'Logs that an address emitted, or that contain it in an indexed input'],
  ['includeNativeTxs', 'Transactions from or to an address'],
  ['includeInternalTxs', 'Internal transactions from or to an address (needs a node with traces)'],
  ['includeAllTxLogs', 'All logs of every transaction in which something matched'],
  ['filterPossibleSpam', 'Omit logs of contracts that count as spam'],
]

/** All fields of a stream, as cards. */
export function StreamFields(props: StreamFieldsProps) {
  return (
    <>
      <Card title="Webhook">
        <ReceiverFields {...props} />
      </Card>
      <Card title="Chains and addresses">
        <WatchedFields {...props} />
      </Card>
      <Card title="Events">
        <div class="fields">
          <EventFields form={props.form} change={props.change} />
        </div>
      </Card>
      <Card title="Delivery settings">
        <SendingFields {...props} />
      </Card>
    </>
  )
}

function ReceiverFields({ form, change }: StreamFieldsProps) {
  return (
    <div class="fields">
      <Field label="Webhook URL" hint="http or https. The server sends a test webhook to it first.">
        <input
          type="url"
          required
          maxLength={2_048}
          value={form.webhookUrl}
          onInput={(event) => change({ webhookUrl: event.currentTarget.value })}
        />
      </Field>
      <Field label="Tag" hint="Included in every webhook.">
        <input maxLength={1_024} value={form.tag} onInput={(event) => change({ tag: event.currentTarget.value })} />
      </Field>
      <Field label="Description">
        <input
          maxLength={4_096}
          value={form.description}
          onInput={(event) => change({ description: event.currentTarget.value })}
        />
      </Field>
    </div>
  )
}

/** The browser rejects the form with this text, and focuses the field. Empty: the field is valid. */
function rejecting(fault: string) {
  return (field: { setCustomValidity(text: string): void } | null) => field?.setCustomValidity(fault)
}

function WatchedFields({ form, change, chains, isNew }: StreamFieldsProps) {
  const unknown = form.chainIds.filter((id) => !chains.some((chain) => chain.id === id))
  const ids = [...chains.map(({ id }) => id), ...unknown]
  const setChain = (id: string, on: boolean) =>
    change({ chainIds: on ? [...form.chainIds, id] : form.chainIds.filter((old) => old !== id) })
  return (
    <div class="fields">
      <fieldset class="choices chains">
        <legend>Chains</legend>
        {ids.map((id, i) => (
          <label key={id} class="check">
            <input
              ref={rejecting(i === 0 && form.chainIds.length === 0 ? 'Choose at least one chain.' : '')}
              type="checkbox"
              checked={form.chainIds.includes(id)}
              onChange={({ currentTarget }) => setChain(id, currentTarget.checked)}
            />
            <bdi>{chainName(chains, id)}</bdi>
          </label>
        ))}
      </fieldset>
      <Check form={form} change={change} name="allAddresses" label="Every contract and account of these chains" />
      {isNew && !form.allAddresses && (
        <Field label="Addresses" hint="Contracts or accounts, one per line. More can be added later.">
          <textarea
            ref={rejecting(addressesFault(form.addresses))}
            spellcheck={false}
            value={form.addresses}
            onInput={(event) => change({ addresses: event.currentTarget.value })}
          />
        </Field>
      )}
      <fieldset class="choices">
        <legend>Contents of webhooks</legend>
        {included.map(([name, label]) => (
          <Check key={name} form={form} change={change} name={name} label={label} />
        ))}
      </fieldset>
      <details>
        <summary>Match earlier blocks</summary>
        <div class="fields">
          {form.chainIds.map((id) => (
            <Field
              key={id}
              label={
                <>
                  First block on <bdi>{chainName(chains, id)}</bdi>
                </>
              }
              hint={isNew ? 'Default: the next block.' : 'Only for a newly added chain.'}
            >
              <input
                inputMode="numeric"
                pattern="[0-9]{1,18}"
                title="Block number in decimal digits"
                value={form.fromBlocks[id] ?? ''}
                onInput={(event) => change({ fromBlocks: { ...form.fromBlocks, [id]: event.currentTarget.value } })}
              />
            </Field>
          ))}
        </div>
      </details>
    </div>
  )
}

function SendingFields({ form, change, isNew }: StreamFieldsProps) {
  return (
    <div class="fields">
      <Check
        form={form}
        change={change}
        name="confirmedOnly"
        label="Only confirmed blocks (otherwise two webhooks per block: one at the head, one when it is confirmed)"
      />
      <Field label="Order" hint="unordered: up to 50 webhooks at once, for a slow receiver.">
        <select
          value={form.delivery}
          onChange={(event) =>
            change({ delivery: event.currentTarget.value === 'unordered' ? 'unordered' : 'ordered' })
          }
        >
          <option value="ordered">ordered, by block</option>
          <option value="unordered">unordered</option>
        </select>
      </Field>
      <Check form={form} change={change} name="gzip" label="Compress bodies (gzip)" />
      <Field
        label="Headers"
        hint={
          isNew
            ? 'Sent with every webhook: Name: value, one per line. Values are never shown again.'
            : 'Name: value, one per line. A name without a value keeps its stored value.'
        }
      >
        <textarea
          ref={rejecting(headersFault(form.headers))}
          spellcheck={false}
          autocomplete="off"
          rows={3}
          value={form.headers}
          onInput={(event) => change({ headers: event.currentTarget.value })}
        />
      </Field>
      {isNew && (
        <Field label="Secret" hint="whsec_ and 24 to 64 bytes in base64. Default: a generated one.">
          <input
            spellcheck={false}
            autocomplete="off"
            value={form.webhookSecret}
            onInput={(event) => change({ webhookSecret: event.currentTarget.value })}
          />
        </Field>
      )}
    </div>
  )
}

function Check({
  form,
  change,
  name,
  label,
}: Pick<StreamFieldsProps, 'form' | 'change'> & { name: Flag; label: string }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={form[name]}
        onChange={({ currentTarget }) => change({ [name]: currentTarget.checked })}
      />
      {label}
    </label>
  )
}
