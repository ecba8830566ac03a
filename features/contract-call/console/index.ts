import type { ConsoleFeature } from '@holdfast/features/console-feature'

export { CallFacts } from './call-facts.tsx'

export const feature: ConsoleFeature = {
  walletTabs: [
    {
      key: 'allowances',
      label: { key: 'contractCall.tab' },
      order: 50,
      load: () => import('./allowance-list.tsx').then((module) => module.AllowanceList),
    },
  ],
  coinActions: [{ order: 20, load: () => import('./call-action.tsx').then((module) => module.CallAction) }],
  ahead: [() => import('./call-drawer.tsx')],
}
