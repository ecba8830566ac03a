export { FreezeBanner } from './freeze-banner.tsx'
export { type Outcome, PolicyOutcome, usePolicyOutcome } from './policy-outcome.tsx'
export { PolicyPanel } from './policy-panel.tsx'
export { SigningPanel } from './signing-panel.tsx'
