import { demandBuildable } from '@holdfast/features/transfer/server'
import type { Check } from './check.ts'

/** A node builds its bytes now: the requester learns of its refusal before anybody is asked to approve. */
export const buildable: Check = {
  told: (needs, { orgId, request, payer, tiers }) => {
    const { network, to, asset, amount, feeCap, tier, memo, outputs: payments, inscribes, language } = request
    const more = payments ? { payments } : inscribes !== undefined ? { inscribes } : memo !== null ? { memo } : {}
    const wanted = { from: payer.address, to, asset: { chain: asset.chain, contract: asset.contract }, amount, feeCap: feeCap.amount, tier, ...more }
    return demandBuildable(needs, { orgId, network, language }, { ...wanted, quoted: tiers })
  },
}
