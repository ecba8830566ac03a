import { demandBuildable } from '@holdfast/features/transfer/server'
import type { Check } from './check.ts'

const NORMAL = 1

/** A node makes the bytes of it now: what it would refuse is said before anybody is asked to approve. */
export const buildable: Check = {
  told: (needs, { orgId, request, payer, tiers }) => {
    const { network, to, asset, amount, feeCap, tier, memo, outputs: payments, inscribes, language } = request
    const more = { ...(memo !== null && { memo }), ...(payments && { payments }), ...(inscribes !== undefined && { inscribes }) }
    const wanted = { from: payer.address, to, asset: { chain: asset.chain, contract: asset.contract }, amount, feeCap, tier: tier ?? NORMAL, ...more }
    return demandBuildable(needs, { orgId, network, language }, { ...wanted, quoted: tiers })
  },
}
