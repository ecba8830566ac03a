import type { ReactNode } from 'react'

/** The part of a drawer page that scrolls. */
export function DrawerBody({ children }: { children: ReactNode }) {
  return <div className="hf-drawer-body">{children}</div>
}

/** The buttons at the foot of a drawer page, always in sight. */
export function DrawerFooter({ children }: { children: ReactNode }) {
  return <div className="hf-drawer-footer">{children}</div>
}
