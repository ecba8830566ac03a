import type { ConsoleFeature } from '@holdfast/features/console-feature'

export const feature: ConsoleFeature = {
  pages: { 'center/wallet/paySeveral': () => import('./several/pay-several-page.tsx').then((module) => module.PaySeveralPage) },
  homeParts: [{ order: 20, load: () => import('./closed-payments.tsx').then((module) => module.ClosedPayments) }],
  coinActions: [{ order: 30, load: () => import('./withdraw-action.tsx').then((module) => module.WithdrawAction) }],
  paymentForms: {
    pay: () => import('./open-withdraw-drawer.tsx').then((module) => module.openWithdrawDrawer),
    sendInscription: () => import('./open-send-inscription-drawer.tsx').then((module) => module.openSendInscriptionDrawer),
  },
  palette: () => import('./payment-palette.tsx').then((module) => module.PaymentPalette),
  ahead: [() => import('./withdraw-drawer.tsx'), () => import('./several/pay-several-page.tsx')],
}
