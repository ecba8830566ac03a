import type { OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { dueMs, type StandingOrderIntent } from '@holdfast/intent'
import { bytesToUuid, formatAmount } from '@holdfast/units'
import type { getScheduleDraft } from '../../contract.ts'
import { dayText } from '../../dates.ts'
import { readPlaces } from '../draft-of.ts'
import { addressAtPlace } from '../read-holdings.ts'
import type { Schedule } from './payments.ts'

type Draft = NonNullable<OutputOf<typeof getScheduleDraft>['draft']>

const twoDigits = (count: bigint) => String(count).padStart(2, '0')

/**
 * The draft of which payments on dates were made, amounts in whole units: what `readSchedule` reads, turned round, with the dates that are still to come. Null
 * where the organisation has no sub-wallet at the place that pays any more, or no address at the place that is paid.
 */
export async function scheduleDraftOf(tx: OrganisationTx, intent: StandingOrderIntent, schedule: Schedule, nowMs: number): Promise<Draft | null> {
  const { to, days, minute, lateDays } = schedule
  const [[source], [moved], [fee]] = [intent.sources, intent.assets, intent.fees]
  const payer = source && (await readPlaces(tx))(source)
  const address = to.kind === 'own' ? await addressAtPlace(tx, to.chain, to) : to.address
  if (!moved || !fee || address === undefined || !payer || payer.sub_wallet_id === null) return null
  return {
    id: bytesToUuid(intent.id),
    name: intent.name,
    wallet_id: payer.wallet_id,
    sub_wallet_id: payer.sub_wallet_id,
    chain: moved.asset.chain,
    symbol: moved.asset.symbol,
    amount: formatAmount(moved.atMost, Number(moved.asset.decimals)),
    address,
    memo: to.kind === 'own' ? '' : (to.memo ?? ''),
    fee_max: formatAmount(fee.max, Number(fee.asset.decimals)),
    dates: days.filter((day) => dueMs(schedule, day) > BigInt(nowMs)).map((day) => dayText(Number(day))),
    time: `${twoDigits(minute / 60n)}:${twoDigits(minute % 60n)}`,
    late_days: Number(lateDays),
  }
}
