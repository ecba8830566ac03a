import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { IconClose } from '../base/icons.tsx'
import { Label } from '../base/label.tsx'
import { MoneyMovesContext } from '../format/money-moves.ts'
import { askToDiscard } from './confirm-dialog.tsx'
import { type DrawerContent, DrawerPageContext, useDrawers } from './drawer-context.ts'
import type { DrawerPage } from './drawer-stack.ts'
import { keepTabInside } from './keep-tab-inside.ts'
import { useFocusKept } from './use-focus-kept.ts'

/** Where drawer pages appear; once in a page. Escape closes the uppermost, and the focus returns to where it was. */
export function DrawerHost() {
  const drawers = useDrawers()
  const pages = useSyncExternalStore(drawers.subscribe, drawers.pages)
  const dismiss = useDismiss()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A list or a panel that is open over the page is what Escape closes first.
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || document.querySelector(':popover-open, dialog[open]')) return
      const top = drawers.pages().findLast(({ isOpen }) => isOpen)
      if (top) dismiss(top.id)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [drawers, dismiss])
  return pages.map((page) => <DrawerView key={page.id} page={page} />)
}

/**
 * Closes a page as whoever looks away from it does: by Escape, its button or a click beside it. What was typed there and not sent is not lost without a
 * question.
 */
function useDismiss(): (id: number) => void {
  const drawers = useDrawers()
  const { t } = useTranslation()
  return useCallback(
    (id) => {
      if (!drawers.isUnsaved(id)) return drawers.closePage(id)
      void askToDiscard(drawers, t).then((isDiscarded) => isDiscarded && drawers.closePage(id))
    },
    [drawers, t],
  )
}

function DrawerView({ page }: { page: DrawerPage<DrawerContent> }) {
  const drawers = useDrawers()
  const { t } = useTranslation()
  const dismiss = useDismiss()
  const close = (result?: unknown) => drawers.closePage(page.id, result)
  // Several parts of a page may have something that was not sent.
  const unsavedParts = useRef(0)
  const markUnsaved = useCallback(
    (isUnsaved: boolean) => {
      unsavedParts.current += isUnsaved ? 1 : -1
      drawers.markUnsaved(page.id, unsavedParts.current > 0)
    },
    [drawers, page.id],
  )
  const [title, entitle] = useState(page.content.title)
  const titleId = `hf-drawer-title-${page.id}`
  const frame = useRef<HTMLDivElement>(null)
  // A page begins with its title, so that a screen reader says what has opened, unless it chooses another place itself. It begins
  // before it has slid in: what is typed meanwhile is not for the page behind.
  const begin = useCallback((title: HTMLHeadingElement | null) => {
    if (!title?.closest('[role="dialog"]')?.contains(document.activeElement)) title?.focus({ preventScroll: true })
  }, [])
  useFocusReturned(page.isOpen)
  useFocusKept(frame, page.isOpen)
  useForgotten(page, frame)
  return (
    <div className={page.isOpen ? 'hf-drawer' : 'hf-drawer hf-drawer-leaving'} inert={!page.isOpen} ref={frame}>
      {page.background && (
        // The keyboard closes a page by Escape and by its button.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <div className="hf-drawer-mask" onClick={page.maskClosable ? () => dismiss(page.id) : undefined} />
      )}
      {/* Where the page behind is not dimmed it can be worked with too, and Tab leads there. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        role="dialog"
        aria-modal={page.background}
        aria-labelledby={titleId}
        className={`hf-drawer-page hf-drawer-${page.width}`}
        onKeyDown={(event) => page.background && keepTabInside(event, event.currentTarget)}
      >
        <div className="hf-drawer-header">
          <h2 id={titleId} ref={begin} tabIndex={-1}>
            <Label text={title} wrap />
          </h2>
          <button type="button" className="hf-icon-button" aria-label={t('ui.drawer.close')} onClick={() => dismiss(page.id)}>
            <IconClose />
          </button>
        </div>
        <DrawerPageContext value={{ close, entitle, markUnsaved }}>
          <MoneyMovesContext value={true}>{page.content.body}</MoneyMovesContext>
        </DrawerPageContext>
      </div>
    </div>
  )
}

/** Gives the focus back to where it was when the page opened, once the page closes. */
function useFocusReturned(isOpen: boolean): void {
  const before = useRef<Element | null>(undefined)
  if (before.current === undefined) before.current = document.activeElement
  useEffect(() => {
    if (isOpen) return
    const was = before.current
    if (was instanceof HTMLElement && was.isConnected) was.focus({ preventScroll: true })
  }, [isOpen])
}

/** Forgets a closed page once it has slid out; at once where nothing moves. */
function useForgotten({ id, isOpen }: DrawerPage<DrawerContent>, frame: { current: HTMLElement | null }): void {
  const drawers = useDrawers()
  useEffect(() => {
    if (isOpen) return
    const moving = frame.current?.getAnimations({ subtree: true }).filter((each) => each.effect?.getComputedTiming().endTime !== Infinity) ?? []
    void Promise.allSettled(moving.map((animation) => animation.finished)).then(() => drawers.forget(id))
  }, [drawers, frame, id, isOpen])
}
