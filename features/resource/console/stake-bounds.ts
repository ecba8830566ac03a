import { formatAmount, parseAmount } from '@holdfast/units'
import type { Resources } from './account-resources.tsx'
import type { StakeAction } from './open-stake-drawer.tsx'

/** The own coin of networks that give resources for stake. */
const DECIMALS = 6
/** Left for the fee where everything else is staked. */
const FEE_ROOM = 10n ** 6n

type Resource = 'energy' | 'bandwidth'
type Known = { resources: Pick<Resources, Resource>; balance: string | undefined }

/** The most that an action can be about, or undefined while that is not known. */
export function mostOf(action: StakeAction, resource: Resource, { resources, balance }: Known): string | undefined {
  if (action === 'unstake') return resources[resource].staked
  if (action === 'delegate') return resources[resource].delegatable
  if (action !== 'stake' || balance === undefined) return undefined
  const left = parseAmount(balance, DECIMALS) - FEE_ROOM
  return formatAmount(left > 0n ? left : 0n, DECIMALS)
}

/** What a stake would give a day, in whole units, by what the present stake gives; undefined where there is none to tell by, or no amount. */
export function expectedUnits(amount: string, { limit, staked, delegated_in: received }: Resources[Resource]): string | undefined {
  if (!/^\d{1,18}(\.\d{1,6})?$/.test(amount)) return undefined
  const behind = parseAmount(staked, DECIMALS) + parseAmount(received, DECIMALS)
  return behind === 0n ? undefined : String((BigInt(limit) * parseAmount(amount, DECIMALS)) / behind)
}
