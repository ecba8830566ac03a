import type { Timer } from '@holdfast/ports'

export type ToastTone = 'good' | 'bad' | 'neutral'
export type Toast = { id: number; key: string | undefined; tone: ToastTone; text: string }

export type Toaster = {
  success(text: string, key?: string): void
  error(text: string, key?: string): void
  info(text: string, key?: string): void
  dismiss(id: number): void
  /** While somebody reads (points at) the messages none of them leaves. */
  hold(isHeld: boolean): void
  list(): readonly Toast[]
  subscribe(listener: () => void): () => void
}

const STAYS_MS: Record<ToastTone, number> = { good: 5_000, neutral: 6_000, bad: 10_000 }
const MOST_AT_ONCE = 4

/** Short messages beside the page. One with the key of another takes its place. */
export function createToaster(timer: Pick<Timer, 'after'>): Toaster {
  let toasts: readonly Toast[] = []
  let lastId = 0
  let isHeld = false
  const cancels = new Map<number, () => void>()
  const listeners = new Set<() => void>()

  const change = (next: readonly Toast[]) => {
    for (const gone of toasts.filter((toast) => !next.includes(toast))) {
      cancels.get(gone.id)?.()
      cancels.delete(gone.id)
    }
    toasts = next
    for (const listener of listeners) listener()
  }
  const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id))
  const letLeave = ({ id, tone }: Toast) =>
    void cancels.set(
      id,
      timer.after(STAYS_MS[tone], () => dismiss(id)),
    )
  const show = (tone: ToastTone, text: string, key?: string) => {
    const toast = { id: ++lastId, key, tone, text }
    change([...toasts.filter((each) => key === undefined || each.key !== key), toast].slice(-MOST_AT_ONCE))
    if (!isHeld) letLeave(toast)
  }

  return {
    success: (text, key) => show('good', text, key),
    error: (text, key) => show('bad', text, key),
    info: (text, key) => show('neutral', text, key),
    dismiss,
    hold: (next) => {
      isHeld = next
      for (const cancel of cancels.values()) cancel()
      cancels.clear()
      if (!isHeld) toasts.forEach(letLeave)
    },
    list: () => toasts,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
