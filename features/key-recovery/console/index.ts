/** The part of a wallet's page about recovering its key; fetched when it is first opened. */
export const loadRecoverySection = () => import('./recovery-section.tsx').then((module) => module.RecoverySection)
export const loadKeyPage = () => import('./key-page.tsx').then((module) => module.KeyPage)
export { KeyBadge, KeyReminders } from './key-reminders.tsx'
