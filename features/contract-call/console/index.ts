export { CallFacts } from './call-facts.tsx'
export { openCallDrawer, type CallTarget } from './open-call-drawer.tsx'

/** The part of a wallet that lists what others may take; fetched when it is wanted. */
export const loadAllowanceList = () => import('./allowance-list.tsx').then((module) => module.AllowanceList)
export const loadCallDrawer = () => import('./call-drawer.tsx')
