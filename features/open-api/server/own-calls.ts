import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, EncodingFault, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { switchOffItself } from '@holdfast/features/api-key/server'
import { createBatch } from '@holdfast/features/batch-transfer/server'
import type { ServerContext } from '@holdfast/features/context'
import { approvalRefused } from '@holdfast/features/evidence/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { type Proposals, takeMachineSignature } from '@holdfast/features/proposal/server'
import { namedSubWallets } from '@holdfast/features/wallet/server'
import { type CallerContext, handle, type HandledEndpoint, type MachineRequester, type Requester } from '@holdfast/http'
import { machineSignatureShape } from '@holdfast/intent'
import {
  openBatchIntent,
  openCallIntent,
  openCreateBatch,
  openScreen,
  openScreenings,
  openSignBatch,
  openSignCall,
  openSignWithdrawal,
  openSwitchOff,
  openWallets,
  openWithdrawalIntent,
} from '../open-contract.ts'
import { listScreenings, takeWord } from './screenings.ts'

/** What only programs call: what their key may name, what it has to sign, its signature, and switching it off. */
export function ownCalls(context: ServerContext, proposals: Proposals): HandledEndpoint[] {
  const { db } = context
  return [
    handle(
      openWallets,
      async ({ orgId, requester }) => ({ list: await db.readOrganisation(orgId, (tx) => walletsOf(tx, machineOf(requester))) }),
      'machines too',
    ),
    handle(openCreateBatch, (caller, asked) => createBatch(context, { ...caller, requester: machineOf(caller.requester) }, asked), 'machines too'),
    handle(openWithdrawalIntent, (caller, { id }) => toSign(context, caller, { id, isIts: isPayment }), 'machines too'),
    handle(openCallIntent, (caller, { id }) => toSign(context, caller, { id, isIts: isCall }), 'machines too'),
    handle(openBatchIntent, (caller, { id }) => toSign(context, caller, { id, isIts: 'batch' }), 'machines too'),
    handle(openSignWithdrawal, (caller, asked) => takeAsk(context, proposals, caller, { ...asked, isIts: isPayment }), 'machines too'),
    handle(openSignCall, (caller, asked) => takeAsk(context, proposals, caller, { ...asked, isIts: isCall }), 'machines too'),
    handle(openSignBatch, (caller, asked) => takeAsk(context, proposals, caller, { ...asked, isIts: 'batch' }), 'machines too'),
    handle(openScreenings, ({ orgId, requester }) => listScreenings(context, orgId, machineOf(requester)), 'machines too'),
    handle(openScreen, ({ orgId, requester }, asked) => takeWord(context, proposals, { orgId, machine: machineOf(requester) }, asked), 'machines too'),
    handle(
      openSwitchOff,
      async ({ orgId, requester }) => {
        await switchOffItself(context, { orgId, machineId: machineOf(requester).machineId })
        return {}
      },
      'machines too',
    ),
  ]
}

type Caller = Pick<CallerContext, 'orgId' | 'requester'>
/** What a call is about: a batch, or orders of some kinds. Payments, calls and batches need a permission each. */
type Signing = { id: string; isIts: 'batch' | ((kind: string) => boolean) }
const isCall = (kind: string) => kind === 'web3'
const isPayment = (kind: string) => !isCall(kind)

/** The bytes of an order that a key asked for. */
async function toSign({ db }: ServerContext, { orgId, requester }: Caller, signing: Signing) {
  const { intent, intent_hash, state } = await db.readOrganisation(orgId, (tx) => ownOrder(tx, machineOf(requester), signing))
  return { intent: toHex(intent), intent_hash: toHex(intent_hash), state }
}

/** Takes the signature of a key over an order that it asked for. */
async function takeAsk(context: ServerContext, proposals: Proposals, { orgId, requester }: Caller, asked: Signing & { signature: string }) {
  const machine = machineOf(requester)
  const { intent_hash: hash } = await context.db.readOrganisation(orgId, (tx) => ownOrder(tx, machine, asked))
  const given = readSigned(asked.signature)
  if (!equalBytes(given.signed.intentHash, hash)) throw approvalRefused('it is about another order')
  if (given.signed.machine !== machine.machineId || given.signed.decision !== 'ask') throw approvalRefused('it does not say that this key asks')
  return takeMachineSignature(context, proposals, given)
}

/** The machine that calls. A person has no key that could be meant. Throws AppError. */
function machineOf(requester: Requester): MachineRequester {
  if ('personId' in requester) throw new AppError('resource_not_found')
  return requester
}

async function walletsOf(tx: OrganisationTx, { subWallets }: MachineRequester) {
  const rows = await namedSubWallets(tx).orderBy('sub_wallet.created_at').execute()
  return rows.filter((each) => subWallets === null || subWallets.includes(each.sub_wallet_id))
}

/** An order or a batch that this machine asked for. Throws AppError `order_not_found` for any other. */
async function ownOrder(tx: OrganisationTx, { partyId }: MachineRequester, { id, isIts }: Signing) {
  const row = isIts === 'batch' ? await askedBatch(tx, id, partyId) : await askedOrder(tx, id, partyId)
  const isAskedBy = row && (isIts === 'batch' || ('kind' in row && isIts(row.kind)))
  if (!row || !isAskedBy || row.intent === null || row.intent_hash === null) throw new AppError(proposalErrors.order_not_found)
  return { intent: row.intent, intent_hash: row.intent_hash, state: row.state as string }
}

const askedOrder = (tx: OrganisationTx, id: string, partyId: MachineRequester['partyId']) =>
  tx
    .selectFrom('transfer_order')
    .select(['intent', 'intent_hash', 'state', 'kind'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .where('initiator', '=', partyId)
    // What a batch pays was asked for by the batch.
    .where('batch_id', 'is', null)
    .executeTakeFirst()

const askedBatch = (tx: OrganisationTx, id: string, partyId: MachineRequester['partyId']) =>
  tx
    .selectFrom('batch_transfer')
    .select(['intent', 'intent_hash', 'state'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .where('initiator', '=', partyId)
    .executeTakeFirst()

function readSigned(encoded: string) {
  try {
    const bytes = fromHex(encoded)
    return { signed: decode(machineSignatureShape, bytes), bytes }
  } catch (cause) {
    if (cause instanceof EncodingFault) throw approvalRefused(cause.message, cause)
    throw cause
  }
}
