import { equalBytes } from '@holdfast/encoding'
import { type Intent, intentHash, isSignedByMachine, type MachineSignature, movesMoney } from '@holdfast/intent'
import { ApprovalRefused } from '../check-approval.ts'
import { findMachine, type Machine, partyOfMachine } from './machines.ts'
import { type Policy, policyHash } from '../policy.ts'

/** What each kind of machine can sign of an order. One that says what screening found signs nothing of it. */
const SIGNS: Record<string, readonly string[]> = { api: ['ask'], coSigner: ['approve', 'reject'] }

/**
 * Checks what one machine signed of `intent` under `policy`: right order and policy, a machine of this version whose kind signs such a thing and which had not
 * expired then, nor by `atMs`, the clock of whoever decides; and only the machine that the order names asks for it. Returns the machine. Throws ApprovalRefused.
 */
export function checkMachineSignature(signed: MachineSignature, intent: Intent, policy: Policy, atMs?: number): Machine {
  if (!equalBytes(signed.genesis, intent.genesis)) throw new ApprovalRefused({ code: 'approval-other-organisation' })
  if (!equalBytes(signed.intentHash, intentHash(intent))) throw new ApprovalRefused({ code: 'approval-other-order' })
  if (!equalBytes(signed.policyHash, policyHash(policy))) throw new ApprovalRefused({ code: 'approval-other-policy' })
  if (signed.signedAtMs < intent.notBeforeMs || signed.signedAtMs > intent.expiresAtMs) throw new ApprovalRefused({ code: 'approval-out-of-time' })
  const machine = findMachine(policy, signed.machine)
  // Whom a policy names governs it, and keys and signers: those are people.
  if (!machine || !movesMoney(intent)) throw new ApprovalRefused({ code: 'machine-unknown', given: { machine: signed.machine } })
  const { name } = machine
  const isItsWord = SIGNS[machine.kind]?.includes(signed.decision) ?? false
  if (!isItsWord || (signed.decision === 'ask' && !equalBytes(partyOfMachine(machine), intent.initiator)))
    throw new ApprovalRefused({ code: 'machine-out-of-place', given: { name, decision: signed.decision } })
  const now = atMs === undefined ? signed.signedAtMs : BigInt(Math.max(atMs, Number(signed.signedAtMs)))
  if (machine.expiresAtMs <= now) throw new ApprovalRefused({ code: 'machine-expired', given: { name } })
  if (!isSignedByMachine(signed, machine.publicKey)) throw new ApprovalRefused({ code: 'machine-strange-key', given: { name } })
  return machine
}
