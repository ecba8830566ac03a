export { CallFacts } from './call-facts.tsx'
export { openCallDrawer, type CallTarget } from './open-call-drawer.tsx'
