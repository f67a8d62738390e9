import type { ComponentProps } from 'preact'

/**
 * A button that is off for a while, such as during its request. It then ignores presses, and Enter in its form. A disabled button would lose
 * the focus of the keyboard.
 */
export function Button({
  type,
  off,
  onClick,
  ...rest
}: Omit<ComponentProps<'button'>, 'type' | 'disabled' | 'onClick'> & {
  type: 'button' | 'submit'
  off: boolean
  onClick?(): void
}) {
  const press = (event: MouseEvent) => {
    if (off) event.preventDefault()
    else onClick?.()
  }
  return <button {...rest} type={type} aria-disabled={off} onClick={press} />
}
