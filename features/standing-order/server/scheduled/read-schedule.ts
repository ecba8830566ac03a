import { AppError, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { listedPlaces } from '@holdfast/features/address-book/server'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { currentPolicy, type StandingOrderTerms } from '@holdfast/features/policy/server'
import { ownPlaces, readPayer } from '@holdfast/features/transfer/server'
import { memoOf } from '@holdfast/features/withdrawal/server'
import { amountOf } from '@holdfast/http'
import { lastMs } from '@holdfast/intent'
import { newId, type SubWalletId, uuidToBytes, withinBytes } from '@holdfast/units'
import { readDay } from '../../dates.ts'
import type { proposeSchedule } from '../../contract.ts'
import { pinned } from '../read-terms.ts'
import type { Schedule } from './payments.ts'

type Asked = InputOf<typeof proposeSchedule>['schedule']

/** Payments on dates as signers read them. Throws AppError where they name what is not there. */
export async function readSchedule(
  tx: OrganisationTx,
  { networks, ports }: Pick<ServerContext, 'networks' | 'ports'>,
  asked: Asked,
): Promise<StandingOrderTerms & { does: Schedule }> {
  const nowMs = ports.clock.nowMs()
  const network = networks.find(asked.chain)
  const asset = networks.asset(asked.chain, asked.symbol)
  const coin = network?.assets.find(({ contract }) => contract === null)
  if (!network || !asset || !coin) throw new AppError(networkErrors.unsupported_coin)
  const address = network.codec.canonicalAddress(asked.address)
  if (address === undefined) throw new AppError(networkErrors.invalid_transfer_address)
  const memo = memoOf(asked.memo, network)
  const [inForce, payer, to] = await Promise.all([
    currentPolicy(tx),
    readPayer(tx, { subWalletId: asked.sub_wallet_id as SubWalletId, network }),
    readPayee(tx, { chain: network.chain, address, memo }, nowMs),
  ])
  const amount = amountOf(asked.amount, asset)
  const days = [...new Set(asked.dates.map(dayIn))].toSorted((a, b) => a - b).map(BigInt)
  const [hours = 0, minutes = 0] = asked.time.split(':').map(Number)
  const does: Schedule = { kind: 'schedule', to, days, minute: BigInt(hours * 60 + minutes), lateDays: BigInt(asked.late_days) }
  const paying = await tx
    .selectFrom('sub_wallet')
    .innerJoin('wallet', (join) => join.onRef('wallet.org_id', '=', 'sub_wallet.org_id').onRef('wallet.id', '=', 'sub_wallet.wallet_id'))
    .select(['wallet.name as wallet', 'sub_wallet.name'])
    .where('sub_wallet.org_id', '=', tx.orgId)
    .where('sub_wallet.id', '=', asked.sub_wallet_id as SubWalletId)
    .executeTakeFirstOrThrow()
  return {
    id: asked.id === null ? uuidToBytes(newId(nowMs, ports.random)) : uuidToBytes(asked.id),
    name: asked.name,
    does,
    sources: [{ name: withinBytes(`${paying.wallet} / ${paying.name}`, 64), keyId: new Uint8Array(payer.keyId), path: payer.path.map(BigInt) }],
    never: [],
    assets: [{ asset: pinned(inForce, asset), atLeast: amount, atMost: amount }],
    fees: [{ asset: pinned(inForce, coin), max: amountOf(asked.fee_max, coin), maxShare: 10_000n }],
    limits: [],
    untilMs: lastMs(does, days.at(-1) ?? 0n),
  }
}

function dayIn(date: string): number {
  const day = readDay(date)
  if (day === undefined) throw new AppError('invalid_parameters', { details: { field: 'dates', reason: `${date} is no day of the calendar` } })
  return day
}

/** Whom it pays: an own address by its place, one on the whitelist, also in its waiting period, or the address as it is written. */
async function readPayee(tx: OrganisationTx, paid: { chain: string; address: string; memo: string | null }, nowMs: number): Promise<Schedule['to']> {
  const { chain, address, memo } = paid
  const [[own], listed] = await Promise.all([ownPlaces(tx, chain, [address]), listedPlaces(tx, nowMs, { chain, addresses: [address] })])
  if (own && memo === null) return { kind: 'own', chain, name: address.slice(0, 64), keyId: own.keyId, path: [...own.path] }
  return { kind: listed.some((each) => each.memo === (memo ?? '')) ? 'listed' : 'written', chain, address, memo }
}
