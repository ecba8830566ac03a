export { type Outcome, PolicyOutcome, usePolicyOutcome } from './policy-outcome.tsx'
export { PolicyPanel } from './policy-panel.tsx'
