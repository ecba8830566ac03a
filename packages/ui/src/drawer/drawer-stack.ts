/** Stands for the page behind all drawers, where something typed may not be sent either. */
export const PAGE_BEHIND = 0

/** The widths a drawer page may have. */
export type DrawerWidth = 460 | 900 | 1180

export type DrawerOptions = {
  /** 460 where absent. */
  width?: DrawerWidth
  /** Whether the page behind is dimmed; yes where absent. */
  background?: boolean
  /** Whether a click beside the drawer closes its page; yes where absent. */
  maskClosable?: boolean
}

export type DrawerPage<Content> = Required<DrawerOptions> & {
  id: number
  content: Content
  /** False while it slides out. */
  isOpen: boolean
}

export type DrawerStack<Content> = {
  /** Opens a page above the others. Resolves when it closes: with what it was popped with, or undefined. */
  push<T>(content: Content, options?: DrawerOptions): Promise<T | undefined>
  /** Closes the uppermost page with a result. */
  pop(result?: unknown): void
  /** Closes one page, and those above it. */
  closePage(id: number, result?: unknown): void
  /** Closes all pages; every pending promise resolves with undefined. */
  close(options?: { refresh?: boolean }): void
  /** Closes all pages and opens another one in their place. */
  replace<T>(content: Content, options?: DrawerOptions): Promise<T | undefined>
  /** Says whether something typed on a page was not sent, so that whoever closes it by Escape or its button is asked first. */
  markUnsaved(id: number, isUnsaved: boolean): void
  isUnsaved(id: number): boolean
  /** Whether something typed on any page was not sent. */
  hasUnsaved(): boolean
  /** Forgets a page that has slid out. */
  forget(id: number): void
  pages(): readonly DrawerPage<Content>[]
  subscribe(listener: () => void): () => void
  /** Told when everything was closed at once, and whether what lies behind should be asked for again. */
  onClosed(listener: (options: { refresh: boolean }) => void): () => void
}

/** The side drawer's pages, without their looks: stacked, and every way to close one resolves its promise. */
export function createDrawerStack<Content>(): DrawerStack<Content> {
  let pages: readonly DrawerPage<Content>[] = []
  let lastId = 0
  const unsaved = new Set<number>()
  const pending = new Map<number, (result: unknown) => void>()
  const listeners = new Set<() => void>()
  const closedListeners = new Set<(options: { refresh: boolean }) => void>()

  const change = (next: readonly DrawerPage<Content>[]) => {
    pages = next
    for (const listener of listeners) listener()
  }
  const settle = (ids: readonly number[], result?: unknown) => {
    change(pages.map((page) => (ids.includes(page.id) ? { ...page, isOpen: false } : page)))
    for (const id of ids) {
      pending.get(id)?.(result)
      pending.delete(id)
      unsaved.delete(id)
    }
  }
  const openIds = () => pages.filter((page) => page.isOpen).map((page) => page.id)

  const push = <T>(content: Content, options: DrawerOptions = {}): Promise<T | undefined> => {
    const id = ++lastId
    const { width = 460, background = true, maskClosable = true } = options
    return new Promise((resolve) => {
      pending.set(id, resolve as (result: unknown) => void)
      change([...pages, { id, content, width, background, maskClosable, isOpen: true }])
    })
  }
  const closePage = (id: number, result?: unknown) => {
    const open = openIds()
    const at = open.indexOf(id)
    if (at < 0) return
    settle(open.slice(at + 1))
    settle([id], result)
  }

  return {
    push,
    closePage,
    pop: (result) => {
      const top = openIds().at(-1)
      if (top !== undefined) settle([top], result)
    },
    close: (options = {}) => {
      settle(openIds())
      for (const listener of closedListeners) listener({ refresh: options.refresh ?? false })
    },
    replace: (content, options) => {
      settle(openIds())
      return push(content, options)
    },
    markUnsaved: (id, isUnsaved) => void (isUnsaved ? unsaved.add(id) : unsaved.delete(id)),
    isUnsaved: (id) => unsaved.has(id),
    hasUnsaved: () => unsaved.size > 0,
    forget: (id) => {
      if (pages.some((page) => page.id === id && !page.isOpen)) change(pages.filter((page) => page.id !== id))
    },
    pages: () => pages,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onClosed: (listener) => {
      closedListeners.add(listener)
      return () => void closedListeners.delete(listener)
    },
  }
}
