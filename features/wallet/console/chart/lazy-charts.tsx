import { lazyPart, LoadingState } from '@holdfast/ui'

const placeholder = (
  <div className="hf-panel">
    <LoadingState rows={6} />
  </div>
)

/** The charts come after what stands around them. */
export const BalancePanel = lazyPart(() => import('./balance-panel.tsx').then((module) => module.BalancePanel), placeholder)
export const FlowsPanel = lazyPart(() => import('./flows-panel.tsx').then((module) => module.FlowsPanel), placeholder)
