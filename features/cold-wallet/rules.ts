/** What the check of a wallet's cold storage says. */
export type ColdWalletCheck = {
  flag: boolean
  collect_status: boolean
  funding_strategy: boolean
  multising_address: boolean
  warning_notice: boolean
}

/** What has to be configured before a cold wallet works. The spelling of the second is the interface's. */
export const SETUP_ITEMS = ['funding_strategy', 'multising_address', 'warning_notice'] as const

export type SetupProgress = { done: number; total: number; fraction: string; percentage: string }

/** How much of a cold wallet is configured: `{ done: 2, total: 3, fraction: '2/3', percentage: '67%' }`. */
export function setupProgress(check: Pick<ColdWalletCheck, (typeof SETUP_ITEMS)[number]>): SetupProgress {
  const total = SETUP_ITEMS.length
  // Only `true` counts: a flag that is missing or strange is a thing that is not done.
  const done = SETUP_ITEMS.filter((item) => check[item] === true).length
  return { done, total, fraction: `${done}/${total}`, percentage: `${Math.round((done / total) * 100)}%` }
}

/** Whether the networks and the details of the check are to be loaded. */
export function loadsDetails({ flag, collect_status }: Pick<ColdWalletCheck, 'flag' | 'collect_status'>): boolean {
  return flag === true && collect_status === true
}
