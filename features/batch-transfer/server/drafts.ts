import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import { readPayer } from '@holdfast/features/transfer/server'
import { type Requester, requesterIdOf } from '@holdfast/http'
import { announce } from '@holdfast/jobs'
import { formatAmount, newId, type OrganisationId, type SubWalletId } from '@holdfast/units'
import { batchTransferErrors } from '../errors.ts'
import { BATCH_LINES_MAX } from '../contract.ts'
import { checkLines, totalOfLines } from './check-lines.ts'
import { type GivenLine, isPayable, type ReadLine } from './read-lines.ts'
import { faultView } from './words.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks'>
export type Caller = { orgId: OrganisationId; requester: Requester; language: Language }

export type Coin = { network: Network; asset: NetworkAsset }

/** A file of payments, or lines of another batch, that are to be read. */
export type Drafting = Coin & { subWalletId: SubWalletId; fileName: string; given: readonly GivenLine[]; retryOf: string | null }

/** The coin of a batch. Throws AppError for one that a batch does not pay: a batch pays coins and tokens, and no single token of a collection. */
export function coinOf({ networks }: Pick<Needs, 'networks'>, { chain, symbol }: { chain: string; symbol: string }): Coin {
  const network = networks.find(chain)
  const asset = network?.assets.find((each) => each.symbol === symbol)
  if (!network || !asset) throw new AppError(networkErrors.unsupported_coin)
  return { network, asset }
}

type LineError = { line: number; code: string; msg: string }
/** `demand` may refuse for what is wrong with lines, before anything is kept; `before` runs in the transaction that keeps them, with the batch's id. */
type Drafted = { demand?: (errors: readonly LineError[]) => void; before?: (tx: OrganisationTx, batchId: string) => Promise<void> }

/** Reads lines, keeps them as a batch that nobody is asked about yet, and says what was found. */
export async function draftBatch(
  needs: Needs,
  caller: Caller,
  { network, asset, subWalletId, fileName, given, retryOf }: Drafting,
  { demand = () => {}, before = async () => {} }: Drafted = {},
) {
  const { orgId, requester, language } = caller
  if (given.length > BATCH_LINES_MAX) throw new AppError(batchTransferErrors.too_many_transactions)
  if (given.length === 0) throw new AppError('invalid_parameters', { details: { field: 'file', reason: 'the file has no lines' } })
  const payer = await needs.db.asOrganisation(orgId, (tx) => readPayer(tx, { subWalletId, network }))
  const lines = await checkLines(needs, { orgId, requester, network, asset, from: payer.address }, given)
  const errors = lines.flatMap(({ line, faults }) => faults.map((fault) => ({ line, ...faultView(fault, language) })))
  demand(errors)
  const nowMs = needs.ports.clock.nowMs()
  const id = newId(nowMs, needs.ports.random)
  await needs.db.asOrganisation(orgId, async (tx) => {
    const of = {
      chain: network.chain,
      contract: asset.contract ?? '',
      symbol: asset.symbol,
      file_name: fileName,
      initiator: requesterIdOf(caller.requester),
      retry_of: retryOf,
    }
    const none = { reason: null, waits_for: null, execution: null, tier: null, fee_cap: null, intent: null, intent_hash: null, policy_version: null }
    await tx
      .insertInto('batch_transfer')
      .values({
        ...{ org_id: orgId, id, wallet_id: payer.walletId, sub_wallet_id: subWalletId, ...of, state: 'checked', is_final: false, ...none },
        ...{ rule_id: null, places: null, hold_id: null, created_at: nowMs, updated_at: nowMs, version: 1 },
      })
      .execute()
    await tx
      .insertInto('batch_transfer_line')
      .values(lines.map((line) => rowOf(line, orgId, id)))
      .execute()
    await before(tx, id)
    await announce(tx, needs.ports, 'batch.changed', { batch_id: id })
  })
  return {
    batch_id: id,
    rows: lines.filter(isPayable).length,
    total: formatAmount(totalOfLines(lines), asset.decimals),
    errors,
    warnings: lines.flatMap(({ line, warnings }) => warnings.map((kind) => ({ line, kind }))),
  }
}

const rowOf = ({ line, givenAddress, givenAmount, address, memo, amount, faults, warnings }: ReadLine, orgId: OrganisationId, batchId: string) => ({
  ...{ org_id: orgId, batch_id: batchId, line, given_address: givenAddress, given_amount: givenAmount, address, memo, amount },
  ...{ faults: JSON.stringify(faults), warnings: JSON.stringify(warnings), part: null, order_id: null, retried_in: null },
})
