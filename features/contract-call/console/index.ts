import type { ConsoleFeature } from '@holdfast/features/console-feature'

export { CallFacts } from './call-facts.tsx'

export const feature: ConsoleFeature = {
  walletTabs: [
    {
      key: 'allowances',
      label: { key: 'contractCall.tab' },
      families: ['evm'],
      order: 50,
      load: () => import('./allowance-list.tsx').then((module) => module.AllowanceList),
    },
  ],
  coinActions: [{ order: 20, isInMenu: true, load: () => import('./call-action.tsx').then((module) => module.CallAction) }],
  ahead: [() => import('./call-drawer.tsx')],
}
