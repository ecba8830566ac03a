import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, EncodingFault, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { switchOffItself } from '@holdfast/features/api-key/server'
import type { ServerContext } from '@holdfast/features/context'
import { approvalRefused } from '@holdfast/features/evidence/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { type Proposals, takeMachineSignature } from '@holdfast/features/proposal/server'
import { namedSubWallets } from '@holdfast/features/wallet/server'
import { handle, type HandledEndpoint, type MachineRequester, type Requester } from '@holdfast/http'
import { machineSignatureShape } from '@holdfast/intent'
import { openSignWithdrawal, openSwitchOff, openWallets, openWithdrawalIntent } from '../open-contract.ts'

/** What only programs call: what their key may name, what it has to sign, its signature, and switching it off. */
export function ownCalls(context: ServerContext, proposals: Proposals): HandledEndpoint[] {
  const { db } = context
  return [
    handle(
      openWallets,
      async ({ orgId, requester }) => ({ list: await db.readOrganisation(orgId, (tx) => walletsOf(tx, machineOf(requester))) }),
      'machines too',
    ),
    handle(
      openWithdrawalIntent,
      ({ orgId, requester }, { id }) =>
        db.readOrganisation(orgId, async (tx) => {
          const { intent, intent_hash, state } = await ownOrder(tx, id, machineOf(requester))
          return { intent: toHex(intent), intent_hash: toHex(intent_hash), state }
        }),
      'machines too',
    ),
    handle(
      openSignWithdrawal,
      async ({ orgId, requester }, { id, signature }) => {
        const machine = machineOf(requester)
        const { intent_hash: hash } = await db.readOrganisation(orgId, (tx) => ownOrder(tx, id, machine))
        const given = readSigned(signature)
        if (!equalBytes(given.signed.intentHash, hash)) throw approvalRefused('it is about another order')
        if (given.signed.machine !== machine.machineId || given.signed.decision !== 'ask') throw approvalRefused('it does not say that this key asks')
        return takeMachineSignature(context, proposals, given)
      },
      'machines too',
    ),
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

/** The machine that calls. A person has no key that could be meant. Throws AppError. */
function machineOf(requester: Requester): MachineRequester {
  if ('personId' in requester) throw new AppError('resource_not_found')
  return requester
}

async function walletsOf(tx: OrganisationTx, { subWallets }: MachineRequester) {
  const rows = await namedSubWallets(tx).orderBy('sub_wallet.created_at').execute()
  return rows.filter((each) => subWallets === null || subWallets.includes(each.sub_wallet_id))
}

/** An order that this machine asked for. Throws AppError `order_not_found` for any other. */
async function ownOrder(tx: OrganisationTx, id: string, { partyId }: MachineRequester) {
  const row = await tx
    .selectFrom('transfer_order')
    .select(['intent', 'intent_hash', 'state'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .where('initiator', '=', partyId)
    .executeTakeFirst()
  if (!row) throw new AppError(proposalErrors.order_not_found)
  return row
}

function readSigned(encoded: string) {
  try {
    const bytes = fromHex(encoded)
    return { signed: decode(machineSignatureShape, bytes), bytes }
  } catch (cause) {
    if (cause instanceof EncodingFault) throw approvalRefused(cause.message, cause)
    throw cause
  }
}
