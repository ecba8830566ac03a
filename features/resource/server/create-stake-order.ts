import { AppError, type InputOf, type Language } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { fromNode } from '@holdfast/features/network/server'
import { currentPolicy, describeOutcome } from '@holdfast/features/policy/server'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { findTransfer, openTransfer, type Order, type Payer, readPayer } from '@holdfast/features/transfer/server'
import { amountOf, type RequestKey } from '@holdfast/http'
import { checkFeeCap, readTiers } from '@holdfast/features/withdrawal/server'
import { stakeTitle } from '@holdfast/intent'
import { evaluateIntent } from '@holdfast/policy'
import { formatAmount, type OrganisationId, type PersonId, uuidToBytes } from '@holdfast/units'
import type { checkStakeOrder as checkEndpoint, createStakeOrder as endpoint } from '../contract.ts'
import { obstacleTo, readStakeOrder, type StakeInput } from './read-stake-order.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks'>
type Caller = { orgId: OrganisationId; personId: PersonId; language: Language }

const HOUR_MS = 3_600_000
const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const
const NORMAL = 1

/** What an order would do, cost and need now, and why the network would not take it. */
export async function checkStakeOrder(needs: Needs, { orgId, personId, language }: Caller, input: InputOf<typeof checkEndpoint>) {
  const read = readStakeOrder(needs, input)
  const { network, coin, stake } = read
  const payer = await needs.db.asOrganisation(orgId, (tx) => readPayer(tx, { subWalletId: input.sub_wallet_id, network }))
  const to = stake.receiver ?? payer.address
  const [obstacle, tiers] = [await obstacleOf(read, payer, language), await tiersOf(read, payer)]
  const asset = { chain: network.chain, contract: null, symbol: coin.symbol, decimals: BigInt(coin.decimals) }
  const initiator = uuidToBytes(personId)
  const ordered = {
    kind: 'stake' as const,
    asset,
    from: payer.address,
    to,
    amount: stake.amount,
    initiator,
    action: stake.action,
    lockBlocks: stake.lockBlocks,
  }
  const { policy } = await needs.db.asOrganisation(orgId, (tx) => currentPolicy(tx))
  const outcome = evaluateIntent(policy, ordered)
  const { feeMax, parameters } = tiers[NORMAL]
  return {
    title: stakeTitle({ ...ordered, resource: stake.resource }, LOCALE[language]),
    obstacle: obstacle ?? null,
    fee_symbol: coin.symbol,
    max_fee: formatAmount(feeMax, coin.decimals),
    expected_fee: formatAmount(parameters.feeExpected ?? feeMax, coin.decimals),
    policy: { denied: outcome.kind === 'deny', sentence: describeOutcome(outcome, policy, initiator, language).sentence },
  }
}

/**
 * Asks for an order about stake. What the network would not take now is refused before anything is proposed, with the reason.
 * The same request again answers the order it made.
 */
export async function createStakeOrder(
  needs: Needs,
  caller: Caller & { request: RequestKey },
  input: InputOf<typeof endpoint>,
): Promise<{ order: Order; fresh: boolean }> {
  const read = readStakeOrder(needs, input)
  const { network, coin, stake } = read
  const feeCap = amountOf(input.max_fee, coin)
  const request = { key: caller.request, kind: stake.action === 'stake' ? ('stake' as const) : ('stake_change' as const) }
  const known = await needs.db.asOrganisation(caller.orgId, (tx) => findTransfer(tx, needs, request))
  if (known) return { order: known, fresh: false }
  const payer = await needs.db.asOrganisation(caller.orgId, (tx) => readPayer(tx, { subWalletId: input.sub_wallet_id, network }))
  if (!(await fromNode(() => network.node.control(payer.address))).isOwn) throw new AppError(transferErrors.account_not_own)
  const obstacle = await obstacleOf(read, payer, caller.language)
  if (obstacle !== undefined) throw new AppError(transferErrors.build_failed, { details: { reason: obstacle } })
  checkFeeCap({ feeCap, network }, await tiersOf(read, payer))
  return needs.db.asOrganisation(caller.orgId, (tx) =>
    openTransfer(tx, needs, {
      ...request,
      subWalletId: input.sub_wallet_id,
      network,
      subject: {
        kind: 'stake',
        to: stake.receiver ?? payer.address,
        paid: { asset: coin, amount: stake.amount },
        action: stake.action,
        resource: stake.resource,
        lockBlocks: stake.lockBlocks,
      },
      feeCap: { asset: coin, amount: feeCap },
      remark: input.remark,
      lifeMs: input.expire_hours * HOUR_MS,
      initiator: caller.personId,
      language: caller.language,
    }),
  )
}

async function obstacleOf(read: StakeInput, { address: from }: Payer, language: Language): Promise<string | undefined> {
  const { node } = read.network
  const { receiver } = read.stake
  const [resources, other] = await fromNode(() =>
    Promise.all([
      node.stake.resources(from),
      receiver === null
        ? null
        : Promise.all([node.stake.resources(receiver), node.isContract(receiver)]).then(([{ isActive }, isContract]) => ({ isActive, isContract })),
    ]),
  )
  return obstacleTo(read, { from, resources, receiver: other, language })
}

function tiersOf({ network, coin, stake }: StakeInput, { address: from }: Payer) {
  return readTiers(network, { from, to: stake.receiver ?? from, asset: coin, amount: stake.amount, stake })
}
