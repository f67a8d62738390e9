import { useMemo, useState } from 'preact/hooks'
import { Field } from '../../../parts/Field.tsx'
import { FilterGroup } from './FilterGroup.tsx'
import { type EventForm, findEvent, type KnownEvent, readAbi } from './readAbi.ts'
import { type EventChoice, inputsOf, newChoice, type StreamForm, topicOfChoice } from './streamForm.ts'

/** From this number of events the list has a filter. */
const many = 12

/** The events of a stream: from an ABI, each with a filter over its inputs, or by signature only. */
export function EventFields({ form, change }: { form: StreamForm; change(values: Partial<StreamForm>): void }) {
  const read = useMemo(() => readAbi(form.abi), [form.abi])
  const setAbi = (abi: string) => {
    const { events } = readAbi(abi)
    change({
      abi,
      events: form.events.map((choice) => ({ ...choice, event: findEvent(events, choice.topic0) ?? choice.event })),
    })
  }
  const setChoice = (choice: EventChoice) =>
    change({ events: form.events.map((old) => (old.key === choice.key ? choice : old)) })
  return (
    <>
      <Field
        label="ABI"
        hint="The ABI of a contract: JSON, a compiler's output file, or lines such as event Transfer(address indexed from, address indexed to, uint256 value). The stream gets only the events that you choose."
        fault={read.fault}
      >
        <textarea
          spellcheck={false}
          autocomplete="off"
          value={form.abi}
          onInput={(event) => setAbi(event.currentTarget.value)}
        />
      </Field>
      {read.events.length > 0 && (
        <EventList events={read.events} chosen={form.events} change={(events) => change({ events })} />
      )}
      <AddBySignature
        add={(topic0) => change({ events: [...form.events, newChoice(topic0, findEvent(read.events, topic0))] })}
      />
      {form.events.length === 0
        ? form.includeContractLogs && <p class="hint">No event is chosen: logs of every event match.</p>
        : form.events.map((choice) => (
            <ChosenEvent
              key={choice.key}
              choice={choice}
              change={setChoice}
              remove={() => change({ events: form.events.filter(({ key }) => key !== choice.key) })}
            />
          ))}
      {form.events.length > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={form.otherEvents}
            onChange={({ currentTarget }) => change({ otherEvents: currentTarget.checked })}
          />
          Match every log of other events too
        </label>
      )}
    </>
  )
}

function EventList({
  events,
  chosen,
  change,
}: {
  events: readonly KnownEvent[]
  chosen: readonly EventChoice[]
  change(events: readonly EventChoice[]): void
}) {
  const [search, setSearch] = useState('')
  const topics = new Set(chosen.map(topicOfChoice))
  const wanted = search.trim().toLowerCase()
  const shown = wanted === '' ? events : events.filter(({ signature }) => signature.toLowerCase().includes(wanted))
  const toggle = (event: KnownEvent, on: boolean) =>
    change(
      on ? [...chosen, newChoice(event.signature, event)] : chosen.filter((one) => topicOfChoice(one) !== event.topic),
    )
  return (
    <fieldset class="events">
      <legend>Events of the ABI</legend>
      {events.length > many && (
        <input
          type="search"
          aria-label="Filter events"
          placeholder="Filter"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ul class="plain event-list">
        {shown.map((event) => (
          <li key={`${event.topic} ${event.unusable}`}>
            <label class="check">
              <input
                type="checkbox"
                disabled={event.unusable !== null}
                checked={event.unusable === null && topics.has(event.topic)}
                onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
              />
              <code>
                <bdi>{event.forms.map((form) => writtenOut(event.signature, form)).join(' and ')}</bdi>
              </code>
            </label>
            {event.unusable && <p class="hint">Cannot be matched: {event.unusable}.</p>}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

function writtenOut(signature: string, { inputs }: EventForm): string {
  const name = signature.slice(0, signature.indexOf('('))
  const parts = inputs.map((input) => [input.type, input.indexed && 'indexed', input.name].filter(Boolean).join(' '))
  return `${name}(${parts.join(', ')})`
}

function AddBySignature({ add }: { add(signature: string): void }) {
  const [text, setText] = useState('')
  const take = () => {
    if (text.trim() === '') return
    add(text.trim())
    setText('')
  }
  return (
    <details>
      <summary>Add event without ABI</summary>
      <Field
        label="Signature or hash"
        hint="Such as Transfer(address,address,uint256), or topic0 in hex. An event without an ABI has no filters. A stream with an ABI takes only events of that ABI."
      >
        <input
          spellcheck={false}
          autocomplete="off"
          maxLength={1_024}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            take()
          }}
        />
      </Field>
      <button type="button" disabled={text.trim() === ''} onClick={take}>
        Add event
      </button>
    </details>
  )
}

function ChosenEvent({
  choice,
  change,
  remove,
}: {
  choice: EventChoice
  change(choice: EventChoice): void
  remove(): void
}) {
  const { topic0, event, filter, includeNativeTxs } = choice
  return (
    <section class="chosen-event" aria-label={event?.signature ?? topic0}>
      <div class="actions">
        <code class="line">
          <bdi>{event && topic0 === event.topic ? event.signature : topic0}</bdi>
        </code>
        <button type="button" class="quiet" onClick={remove}>
          Remove event
        </button>
      </div>
      {event || filter.parts.length > 0 ? (
        <FilterGroup group={filter} inputs={inputsOf(choice)} change={(next) => change({ ...choice, filter: next })} />
      ) : (
        <p class="hint">The inputs of the event are unknown: each of its logs matches.</p>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={includeNativeTxs}
          onChange={({ currentTarget }) => change({ ...choice, includeNativeTxs: currentTarget.checked })}
        />
        Include the transactions of these logs
      </label>
    </section>
  )
}
