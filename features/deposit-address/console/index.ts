/** Drawers and lists of this feature; each is fetched when it is first opened. */
export const loadDepositDrawer = () => import('./deposit-drawer.tsx')
export const loadAddressList = () => import('./address-list.tsx').then((module) => module.AddressList)
