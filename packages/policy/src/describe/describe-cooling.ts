import { listingCoolingMs } from '../rules/listing-cooling.ts'
import type { Policy } from '../policy.ts'

/** How long an address of the whitelist waits by a policy, in hours. */
export const hoursOfCooling = (policy: Policy): string => String(listingCoolingMs(policy) / 3_600_000)

/** Words on how long addresses of the whitelist wait, for a policy and for a change of one. */
export const coolingEn = {
  cooling: (hours: string) => `An address that is put on the whitelist counts at each signer ${hours === '0' ? 'at once' : `after ${hours} hours`}`,
  coolingChanges: (before: string, after: string) =>
    `An address that is put on the whitelist counts at each signer ${after === '0' ? 'at once' : `after ${after} hours`} from now on; before, ${before === '0' ? 'at once' : `after ${before} hours`}.`,
}

export const coolingZh: typeof coolingEn = {
  cooling: (hours) => (hours === '0' ? '加入白名单的地址在各签名方立即生效' : `加入白名单的地址在各签名方等待 ${hours} 小时后生效`),
  coolingChanges: (before, after) =>
    `今后加入白名单的地址在各签名方${after === '0' ? '立即' : `等待 ${after} 小时后`}生效；此前为${before === '0' ? '立即' : ` ${before} 小时后`}生效。`,
}
