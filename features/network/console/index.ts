export { NetworkHealth } from './network-health.tsx'
