export { openWithdrawDrawer, type WithdrawTarget } from './open-withdraw-drawer.tsx'
