export { ExplorerLinks, openOutside, useExplorers } from './explorer-links.tsx'
export { NetworkHealth } from './network-health.tsx'
export { openTokenMarkDrawer } from './open-token-mark-drawer.tsx'
export { TokenSigns } from './token-signs.tsx'
