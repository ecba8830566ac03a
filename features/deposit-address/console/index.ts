import type { ConsoleFeature } from '@holdfast/features/console-feature'

export { openDepositDrawer } from './open-deposit-drawer.tsx'

export const feature: ConsoleFeature = {
  walletTabs: [
    {
      key: 'addresses',
      label: { key: 'depositAddress.tab' },
      order: 60,
      load: () => import('./address-list.tsx').then((module) => module.AddressList),
    },
  ],
  coinActions: [{ order: 10, load: () => import('./deposit-action.tsx').then((module) => module.DepositAction) }],
  ahead: [() => import('./deposit-drawer.tsx')],
}
