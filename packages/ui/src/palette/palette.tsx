import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconSearch } from '../base/icons.tsx'
import { Label } from '../base/label.tsx'
import type { PaletteItem } from './palette-registry.ts'
import { Shortcut } from './shortcut.tsx'
import { usePaletteResults } from './use-palette-results.ts'

/** What a palette says of its results: how many there are, for whoever listens to it, and where there are none what can be searched. */
type Words = { found: (count: number) => string; none: string }

/** The command palette: one field that leads to any page, wallet, address, order and action. It opens when it is mounted. */
export function Palette({ words, onClose }: { words: Words; onClose: () => void }) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const { groups, isSearching } = usePaletteResults(query)
  const items = groups.flatMap((group) => group.items.map((item) => ({ item, id: `${id}-${group.key}-${item.key}` })))
  const at = Math.min(chosen, Math.max(0, items.length - 1))
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, query])
  const run = (item: PaletteItem) => {
    dialog.current?.close()
    item.run()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1 }
    const to = steps[event.key]
    if (to !== undefined) {
      event.preventDefault()
      setChosen((to + items.length) % Math.max(1, items.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      const item = items[at]?.item
      if (item) run(item)
    }
  }
  return (
    // The backdrop belongs to the dialog: a click on it, and on nothing inside, closes. Escape does the same by the browser.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      className="hf-palette"
      aria-label={t('ui.palette.label')}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && dialog.current?.close()}
    >
      <div className="hf-palette-field">
        <IconSearch />
        <input
          role="combobox"
          aria-label={t('ui.palette.label')}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={items[at]?.id}
          placeholder={t('ui.palette.placeholder')}
          value={query}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          onChange={(event) => {
            setQuery(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKey}
        />
        {isSearching && <span className="hf-spinner" aria-hidden />}
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={t('ui.palette.label')} className="hf-palette-list">
        {groups.map((group) => (
          <div key={group.key} role="group" aria-label={group.title}>
            <p className="hf-palette-group" aria-hidden>
              {group.title}
            </p>
            {group.items.map((item) => {
              const optionId = `${id}-${group.key}-${item.key}`
              const isChosen = items[at]?.id === optionId
              return (
                <Option
                  key={item.key}
                  id={optionId}
                  item={item}
                  isChosen={isChosen}
                  onRun={() => run(item)}
                  onPoint={() => setChosen(items.findIndex((each) => each.id === optionId))}
                />
              )
            })}
          </div>
        ))}
      </div>
      {items.length === 0 && <p className="hf-palette-none">{isSearching ? t('ui.palette.searching') : words.none}</p>}
      <p className="hf-visually-hidden" role="status">
        {query === '' || isSearching ? '' : items.length === 0 ? words.none : words.found(items.length)}
      </p>
      <div className="hf-palette-foot" aria-hidden>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('ui.palette.move')}
        </span>
        <span>
          <kbd>↵</kbd> {t('ui.palette.open')}
        </span>
        <span>
          <kbd>Esc</kbd> {t('ui.palette.close')}
        </span>
      </div>
    </dialog>
  )
}

type OptionProps = { id: string; item: PaletteItem; isChosen: boolean; onRun: () => void; onPoint: () => void }

function Option({ id, item, isChosen, onRun, onPoint }: OptionProps) {
  const Icon = item.icon
  return (
    // The focus stays in the field, which has the keys (the ARIA combobox pattern).
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div id={id} role="option" aria-selected={isChosen} className="hf-palette-item" onClick={onRun} onPointerMove={isChosen ? undefined : onPoint}>
      {Icon && (
        <span className="hf-palette-icon">
          <Icon />
        </span>
      )}
      <span className="hf-palette-title">
        <Label text={item.title} />
      </span>
      {item.detail !== undefined && (
        <span className="hf-palette-detail">
          <Label text={item.detail} />
        </span>
      )}
      {item.shortcut !== undefined && <Shortcut keys={item.shortcut} />}
    </div>
  )
}
