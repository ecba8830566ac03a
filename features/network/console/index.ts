export { ExplorerLinks, openOutside, useExplorers } from './explorer-links.tsx'
export { NetworkHealth } from './network-health.tsx'
