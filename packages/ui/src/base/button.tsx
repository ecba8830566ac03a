import type { MouseEventHandler, ReactNode } from 'react'

export type ButtonVariant = 'primary' | 'default' | 'danger' | 'quiet' | 'dashed'

type ButtonLook = {
  variant?: ButtonVariant
  size?: 'small' | 'middle' | 'large'
  /** Takes the whole width. */
  block?: boolean
  icon?: ReactNode
  /** After the words, such as the arrow of a link that leads elsewhere. */
  iconEnd?: ReactNode
  className?: string
  /** A name for those who cannot see it, where the words alone do not say enough. It begins with the words. */
  label?: string
  /** Attributes with a hyphen are taken by every element unless they are refused: the name is `label`. */
  'aria-label'?: never
  children?: ReactNode
}

type ButtonProps = ButtonLook & {
  type?: 'button' | 'submit'
  disabled?: boolean
  /** It is being done: the button waits and cannot be used again. It keeps the focus, so that a person with a keyboard stays where they are. */
  loading?: boolean
  onClick?: MouseEventHandler<HTMLButtonElement>
}

/** The look of a button, for whatever else works like one. */
export function buttonClass({ variant = 'default', size = 'middle', block, className }: ButtonLook): string {
  return ['hf-button', `hf-button-${variant}`, `hf-button-${size}`, block ? 'hf-button-block' : '', className ?? ''].filter(Boolean).join(' ')
}

/** Something to be done: its words are a verb. */
export function Button(props: ButtonProps) {
  const { type = 'button', disabled, loading, onClick, icon, iconEnd, label, children } = props
  return (
    <button
      type={type}
      className={buttonClass(props)}
      disabled={disabled}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      aria-label={label}
      onClick={loading ? refuse : onClick}
    >
      {loading ? <span className="hf-spinner" aria-hidden /> : icon}
      {children !== undefined && <span>{children}</span>}
      {iconEnd}
    </button>
  )
}

/** Nor does Enter in a field send the form of a button that waits: the browser presses it for that. */
const refuse: MouseEventHandler = (event) => event.preventDefault()

/** A link that looks like a button and opens another place in another tab, such as the approval page. */
export function ButtonLink(props: ButtonLook & { href: string }) {
  const { href, icon, iconEnd, label, children } = props
  return (
    <a className={buttonClass(props)} href={href} target="_blank" rel="noopener" aria-label={label}>
      {icon}
      <span>{children}</span>
      {iconEnd}
    </a>
  )
}
