import { computed, type ReadonlySignal, signal } from '@preact/signals'

export type Toast = { id: number; kind: 'done' | 'failed'; text: string }

/** Short messages about what was just done, read aloud by screen readers. */
export type Toasts = {
  list: ReadonlySignal<readonly Toast[]>
  done(text: string): void
  failed(text: string): void
  dismiss(id: number): void
  /** The list that shows them: the newest mounted one, which is that of the open dialog. */
  place: ReadonlySignal<symbol | undefined>
  /** A list is mounted, until the function that this gives is called. */
  takePlace(list: symbol): () => void
}

/** A message about a success leaves by itself; one about a failure stays until it is dismissed. */
const doneMs = 6_000
const mostShown = 4

export function createToasts(): Toasts {
  const list = signal<readonly Toast[]>([])
  const mounted = signal<readonly symbol[]>([])
  const place = computed(() => mounted.value.at(-1))
  let last = 0
  const dismiss = (id: number) => {
    list.value = list.value.filter((toast) => toast.id !== id)
  }
  const show = (kind: Toast['kind'], text: string) => {
    const id = ++last
    list.value = [...list.value, { id, kind, text }].slice(-mostShown)
    if (kind === 'done') setTimeout(dismiss, doneMs, id)
  }
  const takePlace = (own: symbol) => {
    mounted.value = [...mounted.value, own]
    return () => {
      mounted.value = mounted.value.filter((other) => other !== own)
    }
  }
  return {
    list,
    done: (text) => show('done', text),
    failed: (text) => show('failed', text),
    dismiss,
    place,
    takePlace,
  }
}
