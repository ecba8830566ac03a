import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { plainText } from '../format/hostile-text.ts'
import { rankItems } from './rank-items.ts'
import { IconCheck, IconChevron } from '../base/icons.tsx'
import { Label } from '../base/label.tsx'

export type PickerOption<Value extends string> = {
  value: Value
  label: string
  /** Small, beside the label. */
  detail?: string
  /** Before the label, such as the logo of a coin: nothing is said by it alone. */
  mark?: ReactNode
}

type PickerProps<Value extends string> = {
  /** What is chosen, for those who cannot see it. */
  label: string
  options: readonly PickerOption<Value>[]
  value: Value | undefined
  onChange(value: Value): void
  /** Stands where nothing is chosen. */
  placeholder?: string
  className?: string
  id?: string
  /** Whoever has the options narrows them by what is typed, because there are more than were given. */
  onSearch?(text: string): void
}

const SEARCH_FROM = 9
const MOST_SHOWN = 200
const GAP_PX = 6

/** One of some, by name: a button that opens a list, with a field to search it where it is long. */
export function Picker<Value extends string>({ label, options, value, onChange, placeholder, className, id, onSearch }: PickerProps<Value>) {
  const { t } = useTranslation()
  const own = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const current = options.find((option) => option.value === value)
  const shownText = current ? plainText(current.label, 80) : placeholder
  const hasSearch = onSearch !== undefined || options.length >= SEARCH_FROM
  const shown = rankItems(
    onSearch ? '' : query,
    options.map((option) => ({ ...option, title: option.label })),
    MOST_SHOWN,
  )
  const at = Math.min(chosen, Math.max(0, shown.length - 1))
  const optionId = (index: number) => `${own}-${index}`
  const search = (text: string) => {
    setQuery(text)
    onSearch?.(text)
  }
  const onToggle = (opens: boolean) => {
    setOpen(opens)
    if (query !== '') search('')
    setChosen(
      Math.max(
        0,
        options.findIndex((option) => option.value === value),
      ),
    )
    if (opens) panel.current?.querySelector<HTMLElement>('[data-keys]')?.focus()
  }
  const place = () => {
    const rect = button.current?.getBoundingClientRect()
    const element = panel.current
    if (!rect || !element) return
    const below = document.documentElement.clientHeight - rect.bottom
    const isAbove = below < 260 && rect.top > below
    element.style.minInlineSize = `${rect.width}px`
    element.style.maxBlockSize = `${Math.max(160, Math.min(380, (isAbove ? rect.top : below) - GAP_PX * 2))}px`
    element.style.inset = isAbove
      ? `auto auto ${document.documentElement.clientHeight - rect.top + GAP_PX}px ${rect.left}px`
      : `${rect.bottom + GAP_PX}px auto auto ${rect.left}px`
  }
  const pick = (index: number) => {
    const option = shown[index]
    panel.current?.hidePopover()
    button.current?.focus()
    if (option && option.value !== value) onChange(option.value)
  }
  const go = (to: number) => {
    setChosen(to)
    panel.current?.querySelector(`#${CSS.escape(optionId(to))}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, ...(hasSearch ? {} : { Home: 0, End: shown.length - 1 }) }
    const to = steps[event.key]
    if (to !== undefined) go((to + shown.length) % Math.max(1, shown.length))
    else if (event.key === 'Enter' || (event.key === ' ' && !hasSearch)) pick(at)
    else if (event.key === 'Tab') panel.current?.hidePopover()
    else if (!hasSearch && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      const found = shown.findIndex((option, index) => index !== at && option.label.toLocaleLowerCase().startsWith(event.key.toLocaleLowerCase()))
      if (found >= 0) go(found)
      return
    } else return
    if (event.key !== 'Tab') event.preventDefault()
  }
  const keys = { 'data-keys': true, 'aria-activedescendant': isOpen && shown.length > 0 ? optionId(at) : undefined, onKeyDown: onKey }
  return (
    <>
      <button
        ref={button}
        id={id}
        type="button"
        className={className === undefined ? 'hf-picker' : `hf-picker ${className}`}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        popoverTarget={`${own}-panel`}
      >
        {/* A name by words and not by attribute: a mark may have letters of its own, which nobody needs to hear. */}
        {shownText !== label && <span className="hf-visually-hidden">{shownText === undefined ? label : `${label}: `}</span>}
        {current?.mark}
        <span className={current ? 'hf-picker-value' : 'hf-picker-value hf-faint'}>{current ? <Label text={current.label} /> : placeholder}</span>
        <IconChevron />
      </button>
      <div
        ref={panel}
        id={`${own}-panel`}
        popover="auto"
        className="hf-popup hf-picker-panel"
        onBeforeToggle={place}
        onToggle={(event) => onToggle(event.newState === 'open')}
      >
        {hasSearch && (
          <input
            {...keys}
            type="text"
            role="combobox"
            className="hf-native-input"
            aria-label={label}
            aria-expanded
            aria-controls={`${own}-list`}
            aria-autocomplete="list"
            placeholder={t('ui.picker.search')}
            value={query}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              search(event.target.value)
              setChosen(0)
            }}
          />
        )}
        <div id={`${own}-list`} className="hf-picker-list" role="listbox" aria-label={label} {...(hasSearch ? {} : { ...keys, tabIndex: -1 })}>
          {/* What is closed stands in nobody's way, and a list may be long. */}
          {isOpen &&
            shown.map((option, index) => (
              // The keys are those of the field or the list (the ARIA listbox pattern).
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={option.value}
                id={optionId(index)}
                role="option"
                aria-selected={option.value === value}
                className={index === at ? 'hf-picker-option hf-picker-reached' : 'hf-picker-option'}
                onClick={() => pick(index)}
                onPointerMove={index === at ? undefined : () => setChosen(index)}
              >
                {option.mark}
                <span className="hf-picker-value">
                  <Label text={option.label} />
                </span>
                {option.detail !== undefined && (
                  <span className="hf-small hf-faint">
                    <Label text={option.detail} />
                  </span>
                )}
                {option.value === value && <IconCheck className="hf-picker-tick" />}
              </div>
            ))}
        </div>
        {isOpen && shown.length === 0 && <p className="hf-picker-none hf-muted">{t('ui.palette.none')}</p>}
      </div>
    </>
  )
}

type FilterPickerProps<Value extends string> = {
  label: string
  options: readonly PickerOption<Value>[]
  value: Value | undefined
  onChange(value: Value | undefined): void
  /** What it means to choose none of them; "Any" where absent. */
  anyLabel?: string
}

/** One of some, or any: what a list is narrowed to. */
export function FilterPicker<Value extends string>({ label, options, value, onChange, anyLabel }: FilterPickerProps<Value>) {
  const { t } = useTranslation()
  const any: PickerOption<Value | ''> = { value: '', label: anyLabel ?? t('ui.picker.any') }
  return (
    <Picker<Value | ''>
      label={label}
      placeholder={label}
      value={value}
      options={value === undefined ? options : [any, ...options]}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
      className="hf-filter"
    />
  )
}
