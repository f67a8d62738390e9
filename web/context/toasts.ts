import { computed, type ReadonlySignal, signal } from '@preact/signals'

export type Toast = { id: number; kind: 'done' | 'failed'; text: string }

/** Short messages about the last actions, also for screen readers. */
export type Toasts = {
  list: ReadonlySignal<readonly Toast[]>
  done(text: string): void
  failed(text: string): void
  dismiss(id: number): void
  /** The list that shows them: the last mounted one, such as that of a dialog. */
  place: ReadonlySignal<symbol | undefined>
  /** Registers a mounted list until the returned function is called. */
  takePlace(list: symbol): () => void
}

/** Success messages disappear by themselves; failures stay until dismissed. */
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
