import type { ConsoleFeature } from '@holdfast/features/console-feature'

export const feature: ConsoleFeature = {
  pages: { 'tools/batchTransfer/authRecord': () => import('./allowances-page.tsx').then((module) => module.AllowancesPage) },
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
  recordParts: [{ order: 10, isAbout: ({ isCall }) => isCall, load: () => import('./call-facts.tsx').then((module) => module.CallFacts) }],
  ahead: [() => import('./call-drawer.tsx'), () => import('./call-facts.tsx')],
}
