import type { ReactNode } from 'react'

type CheckboxProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
  /** It must be ticked and is not. */
  isWrong?: boolean
  disabled?: boolean
  className?: string
}

/** Something that is so or not; its words can be clicked too. */
export function Checkbox({ checked, onChange, children, isWrong = false, disabled = false, className = '' }: CheckboxProps) {
  return (
    <label className={`hf-check ${className}`}>
      <input type="checkbox" checked={checked} disabled={disabled} aria-invalid={isWrong || undefined} onChange={(event) => onChange(event.target.checked)} />
      <span>{children}</span>
    </label>
  )
}
