import { askAlong, type OrganisationTx } from '@holdfast/db'
import { decode } from '@holdfast/encoding'
import { type MachineDecision, type MachineSignature, machineSignatureShape } from '@holdfast/intent'
import { partyOfMachine } from '@holdfast/policy'
import { bytesToUuid, type PersonId } from '@holdfast/units'

/** What a machine signed of an order, with the very bytes, and where it stands in the log. */
export type MachineWord = { signed: MachineSignature; bytes: Uint8Array; sequence: number }

/** Everything machines have signed of an order, oldest first. */
export async function readMachineWords(tx: OrganisationTx, intentHash: Uint8Array): Promise<MachineWord[]> {
  const rows = await tx
    .selectFrom('machine_signature')
    .select(['bytes', 'sequence'])
    .where('org_id', '=', tx.orgId)
    .where('intent_hash', '=', intentHash)
    .orderBy('sequence')
    .execute()
  return rows.map((row) => {
    const bytes = new Uint8Array(row.bytes)
    return { signed: decode(machineSignatureShape, bytes), bytes, sequence: Number(row.sequence) }
  })
}

/** Keeps what a machine signed, once it has been checked. A machine signs one thing of an order: a second one fails. */
export function storeMachineWord(tx: OrganisationTx, { signed, bytes, sequence }: MachineWord, nowMs: number): void {
  const { intentHash, machine, decision } = signed
  const party = bytesToUuid(partyOfMachine({ id: machine })) as PersonId
  const said = { machine, party, decision: decision as MachineDecision, bytes, sequence: BigInt(sequence) }
  const row = { org_id: tx.orgId, intent_hash: intentHash, ...said, created_at: nowMs }
  askAlong(tx, tx.insertInto('machine_signature').values(row))
}
