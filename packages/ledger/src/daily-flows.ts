import type { OrganisationTx } from '@holdfast/db'
import { type RawBuilder, sql } from 'kysely'
import { type LedgerAsset, subWalletOf } from './account.ts'
import { LedgerError } from './ledger-error.ts'
import type { Posting } from './post.ts'
import { isSummed } from './wallet-sums.ts'

/** What came into a sub-wallet in a day and what left it, of one coin, in base units. `fromOwn` is the part of what came in that came from own addresses. */
type Flow = { amountIn: bigint; amountOut: bigint; fee: bigint; fromOwn: bigint }
export type DailyFlow = Flow & { day: number; chain: string; contract: string }
/** The days of flows begin at midnight in UTC and are counted from 1970 on. */
export const FLOW_DAY_MS = 86_400_000

export type FlowOfSubWallet = DailyFlow & { subWalletId: string }

const NOTHING: Flow = { amountIn: 0n, amountOut: 0n, fee: 0n, fromOwn: 0n }

/** The statement that adds flows to their days, where `isPosted`. A row is of one sub-wallet, which the posting has locked: no two transactions want the same. */
export function addFlows(tx: OrganisationTx, flows: readonly FlowOfSubWallet[], isPosted: RawBuilder<boolean>): RawBuilder<unknown> {
  const of = (read: (flow: FlowOfSubWallet) => string | number | bigint) => flows.map((flow) => String(read(flow)))
  return sql`
    insert into daily_flow (org_id, sub_wallet_id, day, chain, contract, amount_in, amount_out, fee, from_own)
    select ${tx.orgId}::uuid, flow.* from unnest(${of(({ subWalletId }) => subWalletId)}::uuid[], ${of(({ day }) => day)}::int4[],
      ${of(({ chain }) => chain)}::text[], ${of(({ contract }) => contract)}::text[], ${of(({ amountIn }) => amountIn)}::numeric[],
      ${of(({ amountOut }) => amountOut)}::numeric[], ${of(({ fee }) => fee)}::numeric[], ${of(({ fromOwn }) => fromOwn)}::numeric[]) as flow
    where ${isPosted}
    on conflict (org_id, sub_wallet_id, day, chain, contract) do update set amount_in = daily_flow.amount_in + excluded.amount_in,
      amount_out = daily_flow.amount_out + excluded.amount_out, fee = daily_flow.fee + excluded.fee, from_own = daily_flow.from_own + excluded.from_own`
}

/** What postings move on the days on which it is booked, in base units. A reversal takes it off the day on which what it reverses was booked. */
export function flowsOf(postings: readonly Posting[]): FlowOfSubWallet[] {
  const flows = new Map<string, FlowOfSubWallet>()
  for (const { kind, nowMs, fromOwn, entries } of postings.map((posting) => ({ ...posting, ...posting.reverses }))) {
    if (kind !== 'credit' && kind !== 'settle') continue
    for (const { account, amount } of entries) {
      const { chain, contract } = account.asset
      if ((account.kind !== 'external' && account.kind !== 'fee') || !isSummed(contract)) continue
      const place = { subWalletId: onlySubWallet(entries, account.asset), day: Math.floor(nowMs / FLOW_DAY_MS), chain, contract: contract ?? '' }
      const key = JSON.stringify(Object.values(place))
      const flow = flows.get(key) ?? { ...place, ...NOTHING }
      if (account.kind === 'fee') flow.fee += amount
      else if (kind === 'settle') flow.amountOut += amount
      else {
        flow.amountIn -= amount
        if (fromOwn) flow.fromOwn -= amount
      }
      flows.set(key, flow)
    }
  }
  return [...flows.values()]
}

/** What comes and what leaves does so for one sub-wallet: of two, nobody could say whose it was. */
function onlySubWallet(entries: Posting['entries'], { chain, contract }: LedgerAsset): string {
  const owners = entries.flatMap(({ account }) => (account.asset.chain === chain && account.asset.contract === contract ? (subWalletOf(account) ?? []) : []))
  const [owner, other] = new Set(owners)
  if (owner === undefined || other !== undefined) throw new LedgerError('what comes from outside or leaves is of one sub-wallet')
  return owner
}

/** What came and left on each day from `fromDay` on, coin by coin: of a sub-wallet, or of all of them added up. */
export async function dailyFlows(tx: OrganisationTx, { subWalletId, fromDay }: { subWalletId?: string | undefined; fromDay: number }): Promise<DailyFlow[]> {
  const { rows } = await sql<DailyFlow>`
    select day, chain, contract, sum(amount_in) as "amountIn", sum(amount_out) as "amountOut", sum(fee) as fee, sum(from_own) as "fromOwn"
    from daily_flow where org_id = ${tx.orgId} and day >= ${fromDay}::int4 ${subWalletId === undefined ? sql`` : sql`and sub_wallet_id = ${subWalletId}`}
    group by day, chain, contract having sum(amount_in) <> 0 or sum(amount_out) <> 0 or sum(fee) <> 0
    order by day, chain, contract`.execute(tx)
  return rows
}
