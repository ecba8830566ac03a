import { ChainError } from '@holdfast/chain-core'
import type { InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { fromNode, type Network } from '@holdfast/features/network/server'
import { isClaimed } from '@holdfast/http'
import { readComments } from '@holdfast/features/deposit-address/server'
import { labelTransactions } from '@holdfast/features/accounting/server'
import { findTransfer, openTransfer, type Order, payoutOf, readPayer, type TransferRequest } from '@holdfast/features/transfer/server'
import { keptAmount } from '@holdfast/features/utxo/server'
import { balances } from '@holdfast/ledger'
import { known } from '@holdfast/units'
import type { createWithdrawal as endpoint } from '../contract.ts'
import type { Asked, Told } from './checks/check.ts'
import { checkKnown, checkTold } from './checks/index.ts'
import { readTiers } from './estimate-gas.ts'
import { demandInscribable, inscribing } from './inscribe-token.ts'
import { inspectAddress } from '@holdfast/features/known-address/server'
import { type Caller, type Needs, readRequest, type Withdrawal } from './read-request.ts'

type Input = InputOf<typeof endpoint>
/** What the organisation itself knows of a payment. */
type Known = Asked & Pick<Told, 'addresses'>

/**
 * Requests a payment. Everything that can be known before is checked first (`checks/`); the order itself is opened in one transaction
 * with its hold. The same request again returns the order it created, whatever has changed since.
 */
export async function createWithdrawal(needs: Needs, caller: Caller, input: Input): Promise<{ order: Order; fresh: boolean }> {
  const { orgId } = caller
  const request = readRequest(needs, caller, input)
  const found = await needs.db.readOrganisation(orgId, (tx) => lookUp(tx, request, input))
  if (!found) {
    const order = await needs.db.asOrganisation(orgId, (tx) => findTransfer(tx, needs, request))
    return { order: known(order, 'the order of a request that was made before'), fresh: false }
  }
  checkKnown(found)
  await checkTold(needs, await askChain(needs, found))
  return needs.db.asOrganisation(orgId, async (tx) => {
    const opened = await openTransfer(tx, needs, orderOf(request))
    const { category, tags } = input
    if (opened.fresh && isLabelled(input) && 'personId' in caller) {
      const by = { personId: caller.personId, nowMs: needs.ports.clock.nowMs() }
      await labelTransactions(tx, { ids: opened.order.row.id, type: 'withdraw', category, tags }, by)
    }
    return opened
  })
}

/** The order that is opened for a payment. */
function orderOf({ asset, to, memo, amount, outputs, inscribes, ...request }: Withdrawal): TransferRequest {
  const paid = { asset, amount }
  const one = inscribes === undefined ? { kind: 'transfer' as const, to, paid, memo } : { kind: 'brc20Inscribe' as const, to, paid, postage: inscribes }
  return { ...request, subject: outputs ? payoutOf(asset, outputs) : one }
}

/** What the organisation itself knows of a payment, read in one turn; undefined if this very request was made before. */
async function lookUp(tx: OrganisationTx, request: Withdrawal, input: Input): Promise<Known | undefined> {
  const { subWalletId, network, asset, to, outputs } = request
  const recipients = outputs?.map((each) => each.to) ?? [to]
  const claimed = isClaimed(tx, request.key)
  const asking = Promise.all([
    balances(tx, subWalletId),
    readPayer(tx, request),
    readCommentFault(tx, request),
    Promise.all(recipients.map((each) => inspectAddress(tx, network, each))),
  ])
  asking.catch(() => {})
  // A repeated request gets the same answer, whatever has changed since.
  if (await claimed) return undefined
  const [booked, payer, commentFault, addresses] = await asking
  const available = booked.find((each) => each.asset.chain === asset.chain && each.asset.contract === asset.contract)?.available ?? 0n
  return { orgId: tx.orgId, request, input, payer, recipients, available, commentFault, addresses }
}

async function readCommentFault(tx: OrganisationTx, { network, to, memo }: Withdrawal): Promise<string | null> {
  if (network.codec.memoMax === undefined) return null
  const payment = { orgId: tx.orgId, address: to, memo: memo ?? undefined }
  return (await readComments(tx, network.chain, [payment]))(payment)
}

/** What the chain says of a payment, asked outside of any transaction. */
async function askChain(needs: Needs, asked: Known): Promise<Told> {
  const { orgId, request, payer } = asked
  const { network, to, asset, amount, outputs: payments } = request
  const from = payer.address
  await demandInscribable(needs, orgId, { ...request, address: from })
  const [locked, contract, isOthers, payerIsOthers, tiers] = await Promise.all([
    asset.contract === null ? keptAmount(needs, orgId, request) : 0n,
    isContract(network, to),
    isControlledByOthers(network, to),
    isControlledByOthers(network, from),
    readTiers(network, { from, to, asset, amount, payments, ...inscribing(asset) }),
  ])
  return { ...asked, locked, isContract: contract, isControlledByOthers: isOthers, payerIsControlledByOthers: payerIsOthers, tiers }
}

const isLabelled = ({ category = '', tags = [] }: Pick<Input, 'category' | 'tags'>): boolean => category !== '' || tags.length > 0

async function isContract({ node }: Network, address: string): Promise<boolean> {
  try {
    return await node.isContract(address)
  } catch (cause) {
    // Not knowing is treated as the worse case: the warning must then be acknowledged.
    if (cause instanceof ChainError) return true
    throw cause
  }
}

/** Whether somebody else may sign for an address, if its network allows that. Throws `node_unavailable`. */
async function isControlledByOthers({ node }: Network, address: string): Promise<boolean> {
  const { control } = node
  return control !== undefined && !(await fromNode(() => control(address))).isOwn
}
