import { useServices } from '../context/services.ts'

/** A button that copies a text. `what`: the object of its label, as in "Copy the address". */
export function Copy({ text, what }: { text: string; what: string }) {
  const { toasts } = useServices()
  const copy = async () => {
    if (await copyText(text)) toasts.done('Copied')
    else toasts.failed('The browser does not allow copying: select the text and copy it yourself')
  }
  return (
    <button type="button" class="quiet copy" onClick={copy} aria-label={`Copy ${what}`} title={`Copy ${what}`}>
      <svg
        viewBox="0 0 16 16"
        width="14"
        height="14"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        aria-hidden="true"
      >
        <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
        <path d="M3.5 10.5h-1v-8h8v1" />
      </svg>
    </button>
  )
}

/** Without TLS, only localhost has a clipboard: other pages copy a selection. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'unseen'
  // A dialog makes everything outside it inert.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
