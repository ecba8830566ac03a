import { intentHash, listedTargets, type StandingOrderIntent, writtenTarget } from '@holdfast/intent'
import { pinnedBy, standingOrderPlaceFault } from '@holdfast/policy'
import { followsStandingOrder } from '../../state/keep-standing-order.ts'
import { isLate } from '../book-order.ts'
import { Refused } from '../refused.ts'
import { checkNotFrozen, type SignerView } from '../verify.ts'
import { checkUndecided } from '../voted.ts'

/** c4, c7 and c10: a standing order names assets as the policy does and addresses as their networks do, and follows the version that is known here. */
export function checkStandingOrder(order: StandingOrderIntent, view: SignerView): void {
  const { register } = view
  const hash = intentHash(order)
  const fault = standingOrderPlaceFault(register.standingOrders, order, hash)
  if (fault !== undefined) throw new Refused('c10', fault)
  if (followsStandingOrder(order, register)) return
  const strange = faultOfNames(order, view)
  if (strange !== undefined) throw new Refused('c4', strange)
  // Another signer followed it in its time, whatever is going on now.
  if (isLate(order, view)) return
  checkNotFrozen(register)
  checkUndecided(register)
}

/** Amounts are read by the symbol and the decimals that people see, and addresses are compared as texts. */
function faultOfNames({ assets, fees, does, never }: StandingOrderIntent, { register, codecFor }: SignerView): string | undefined {
  for (const { asset } of [...assets, ...fees]) {
    const pinned = pinnedBy(register.policy, { chain: asset.chain, asset: asset.contract ?? '' })
    if (!pinned || pinned.symbol !== asset.symbol || pinned.decimals !== asset.decimals) return 'the standing order describes an asset as the policy does not'
  }
  const chains = [...new Set(assets.map(({ asset }) => asset.chain))]
  const codecs = chains.map((chain) => codecFor(chain))
  if (codecs.includes(undefined)) return 'this signer cannot read transactions of a network of the standing order'
  const isSpelt = (address: string) => codecs.some((codec) => codec?.canonicalAddress(address) === address)
  const written = writtenTarget({ does })
  const named = [...listedTargets({ does }), ...(written ? [written] : [])]
  const misspelt = [...never, ...named.map(({ address }) => address)].find((address) => !isSpelt(address))
  return misspelt === undefined ? undefined : `${misspelt} is no address of these networks in their own spelling`
}
