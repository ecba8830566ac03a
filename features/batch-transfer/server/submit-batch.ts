import { AppError, type InputOf } from '@holdfast/contract'
import { FEE_TIERS } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { encode } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog } from '@holdfast/features/evidence/server'
import { ownCoin } from '@holdfast/features/network/server'
import { DECIDES_ON_BATCHES, outdatedCoSigner } from '@holdfast/features/machine-link/server'
import { openProposal, peopleAmong } from '@holdfast/features/proposal/server'
import { composeBatch, quorumOfBatch, readPayer } from '@holdfast/features/transfer/server'
import { checkFeeCap } from '@holdfast/features/withdrawal/server'
import { type BatchIntent, countOfParts, intentHash, intentShape } from '@holdfast/intent'
import { lockSubWallets } from '@holdfast/ledger'
import { amountOf, requesterIdOf } from '@holdfast/http'
import { machineOfParty } from '@holdfast/policy'
import { at, bytesToUuid, known, newId, type OrganisationId, uuidToBytes } from '@holdfast/units'
import { sql } from 'kysely'
import type { submitBatch as endpoint } from '../contract.ts'
import { batchTransferErrors } from '../errors.ts'
import { hasPayouts, isAllowanceInUse, readReadiness } from './by-contract.ts'
import type { BatchMode } from '../shapes-contract.ts'
import { type Caller, type Coin, coinOf } from './drafts.ts'
import { type PayableLine, payableLines } from './payable-lines.ts'
import { quoteBatch, togetherOf } from './quote-batch.ts'
import { type BatchRow, holdRest, moveBatch, readBatchRow } from './move-batch.ts'
import { tellAsked } from './tell-people.ts'
import { REASONS } from './words.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks' | 'settings'>
type Input = InputOf<typeof endpoint>

/** What people approve, the rest fails by itself after this. */
const LIFE_MS = 7 * 86_400_000

/**
 * Puts a batch before those who approve it: one order of all its lines, whose money is held from now on. The same call again answers the same. Throws AppError;
 * then nothing is held and nobody is asked.
 */
export async function submitBatch(needs: Needs, caller: Caller, input: Input, demandSecondFactor: (tx: OrganisationTx) => Promise<void>): Promise<BatchRow> {
  const { orgId, language } = caller
  const { row, lines, wrong } = await needs.db.asOrganisation(orgId, async (tx) => {
    await demandSecondFactor(tx)
    return { row: await readBatchRow(tx, input.batch_id), ...(await payableLines(tx, input.batch_id)) }
  })
  if (row.state === 'approving') return row
  if (row.state !== 'checked') throw new AppError('state_changed')
  const refuse = (reason: string) => new AppError(batchTransferErrors.batch_approve_error, { details: { reason } })
  const refuseContract = (reason: string) => new AppError(batchTransferErrors.batch_by_contract_error, { details: { reason } })
  if (input.execution === 'strict' && wrong > 0) throw refuse(REASONS[language].wrong(wrong))
  if (lines.length === 0) throw refuse(REASONS[language].empty)
  const coin = coinOf(needs, row)
  if (input.mode === 'contract') {
    const fault = await faultByContract(needs, orgId, { row, coin, lines })
    if (fault) throw refuseContract(REASONS[language][fault])
  }
  const tier = FEE_TIERS.indexOf(input.fee_tier)
  const feeCap = await feeCapOf(needs, caller, { row, coin, lines, tier, given: input.max_fee, mode: input.mode })
  return needs.db.asOrganisation(orgId, async (tx) => {
    const locked = await readBatchRow(tx, input.batch_id, true)
    if (locked.state === 'approving') return locked
    if (locked.state !== 'checked') throw new AppError('state_changed')
    await lockSubWallets(tx, [row.sub_wallet_id])
    if (input.mode === 'contract' && (await isAllowanceInUse(tx, locked))) throw refuseContract(REASONS[language].allowanceInUse)
    return openBatch(tx, needs, caller, { row: locked, coin, lines, tier, feeCap, input })
  })
}

type Paying = { row: BatchRow; coin: Coin; lines: readonly PayableLine[] }

/** Why a contract cannot pay the lines now; undefined if it can. */
async function faultByContract({ db }: Needs, orgId: OrganisationId, { row, coin, lines }: Paying) {
  const { network, asset } = coin
  if (!hasPayouts(network)) return 'noContract' as const
  if (togetherOf(coin, lines, 'contract') === 1) return 'notTogether' as const
  const { address } = await db.asOrganisation(orgId, (tx) => readPayer(tx, { subWalletId: row.sub_wallet_id, network }))
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n)
  const { readiness } = await readReadiness(network, asset, address, total)
  return readiness === 'ready' ? undefined : FAULTS[readiness]
}

const FAULTS = { not_deployed: 'notDeployed', allowance_low: 'allowanceLow', untold: 'untold' } as const

type Costing = Paying & { tier: number; given: string | undefined; mode: BatchMode }

/** The most that each transaction may cost: as given where it can be met, otherwise by what the chosen tier costs now. */
async function feeCapOf(needs: Needs, caller: Caller, { row, coin, lines, tier, given, mode }: Costing): Promise<bigint> {
  const { network } = coin
  const quote = await quoteBatch(needs, caller.orgId, { subWalletId: row.sub_wallet_id, ...coin, lines, mode })
  if (given === undefined) return at(quote.caps, tier)
  const feeCap = amountOf(given, ownCoin(network))
  checkFeeCap({ feeCap, network }, quote.tiers)
  return feeCap
}

type Opening = { row: BatchRow; coin: Coin; lines: readonly PayableLine[]; tier: number; feeCap: bigint; input: Input }

async function openBatch(tx: OrganisationTx, needs: Needs, caller: Caller, opening: Opening): Promise<BatchRow> {
  const { ports } = needs
  const { row, coin, lines, tier, feeCap, input } = opening
  const { network, asset } = coin
  const nowMs = ports.clock.nowMs()
  const keyed = lines.map((each) => ({ ...each, key: uuidToBytes(newId(nowMs, ports.random)) }))
  const ordered = keyed.map(({ key, to, memo, amount }) => ({ key, to, memo, amount }))
  const { intent, ruleId, inForce } = await composeBatch(tx, needs, {
    ...{ id: row.id, subWalletId: row.sub_wallet_id, network, asset, lines: ordered, together: togetherOf(coin, ordered, input.mode) },
    ...{
      feeCap: { asset: ownCoin(network), amount: feeCap },
      remark: input.remark,
      lifeMs: LIFE_MS,
      initiator: requesterIdOf(caller.requester),
      language: caller.language,
    },
  })
  const quorum = quorumOfBatch(intent, inForce.policy, ruleId)
  const outdated = await outdatedCoSigner(tx, inForce.policy, quorum?.steps ?? [], DECIDES_ON_BATCHES)
  if (outdated)
    throw new AppError(batchTransferErrors.co_signer_outdated, { details: { name: outdated.name, version: outdated.version, since: DECIDES_ON_BATCHES } })
  const holdId = await holdRest(tx, needs, row, intent, 0)
  const bytes = encode(intentShape, intent)
  const hash = intentHash(intent)
  const sequence = await appendToLog(tx, { genesis: inForce.fingerprint, type: 'intent', body: bytes, atMs: nowMs })
  await writeParts(tx, row.id, keyed, intent)
  const initiator = requesterIdOf(caller.requester)
  const machine = machineOfParty(inForce.policy, uuidToBytes(initiator))
  const deciders = peopleAmong(inForce.policy, quorum?.eligible ?? [])
  await openProposal(tx, {
    ...{ subjectId: row.id, kind: 'batch', rank: 'order', intentHash: hash, initiator, walletId: row.wallet_id },
    words: [row.symbol, row.file_name, input.remark, machine?.name ?? null],
    deciders,
    expiresAt: intent.expiresAtMs,
    createdAt: BigInt(nowMs),
  })
  await tellAsked(tx, needs, { batchId: row.id, lines: lines.length })
  return moveBatch(
    tx,
    needs,
    row,
    { state: 'approving' },
    {
      ...{ mode: input.mode, execution: input.execution, tier, fee_cap: feeCap, remark: input.remark, intent: bytes, intent_hash: hash, hold_id: holdId },
      ...{ policy_version: intent.policyVersion, rule_id: ruleId, places: JSON.stringify({ intent: Number(sequence), words: {} }) },
      ...{ parts: countOfParts(intent), expires_at: intent.expiresAtMs },
    },
  )
}

/** Writes which transaction pays each line. Its order has the key of the first line that it pays. */
async function writeParts(
  tx: OrganisationTx,
  batchId: string,
  lines: readonly (PayableLine & { key: Uint8Array })[],
  { together }: BatchIntent,
): Promise<void> {
  const size = Number(together)
  const orderOf = (i: number) => bytesToUuid(known(lines[i - (i % size)], 'the first line of a part').key)
  const numbers = sql`${lines.map(({ line }) => line)}::integer[]`
  const parts = sql`${lines.map((_, i) => Math.floor(i / size))}::integer[]`
  const orders = sql`${lines.map((_, i) => orderOf(i))}::uuid[]`
  const written = sql`update batch_transfer_line l set part = given.part, order_id = given.order_id
    from unnest(${numbers}, ${parts}, ${orders}) as given (line, part, order_id)
    where l.org_id = ${tx.orgId} and l.batch_id = ${batchId} and l.line = given.line`
  await written.execute(tx)
}
