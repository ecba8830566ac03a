import type { ReactNode } from 'react'

/** The part of a drawer page that scrolls. `label` names one that has nothing to press in it: that takes the focus itself, so that keys scroll it. */
export function DrawerBody({ label, children }: { label?: string; children: ReactNode }) {
  const reading = label === undefined ? {} : { tabIndex: 0, role: 'group', 'aria-label': label }
  return (
    <div className="hf-drawer-body" {...reading}>
      {children}
    </div>
  )
}

/** The buttons at the foot of a drawer page, always in sight. */
export function DrawerFooter({ children }: { children: ReactNode }) {
  return <div className="hf-drawer-footer">{children}</div>
}
