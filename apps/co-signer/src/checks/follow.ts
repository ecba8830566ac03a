import { decode, EncodingFault, equalBytes, toHex } from '@holdfast/encoding'
import {
  ApprovalRefused,
  checkPolicyChange,
  checkRecord,
  type Founding,
  genesisRecordShape,
  GenesisRefused,
  type Policy,
  policyChangeRecordShape,
  policyHash,
  PolicyRefused,
} from '@holdfast/policy'
import type { Register } from '../state/register.ts'
import { Refused } from './refused.ts'

/** An organisation as its documents prove it up to here. */
export type Followed = Founding & { policy: Policy }

/** Reads the founding document, which has to be the one that the configuration pins. Throws Refused. */
export function beginAt(record: Uint8Array, pinned: Uint8Array): Followed {
  const { genesis, fingerprint, policies } = checked('genesis', () => checkRecord(decode(genesisRecordShape, record)))
  if (!equalBytes(fingerprint, pinned)) throw new Refused('genesis', `the document is of the organisation ${toHex(fingerprint)}, not of the one pinned here`)
  if (policies.length !== 1) throw new Refused('genesis', 'the founding document comes first, and each change after it by itself')
  return { genesis, fingerprint, policy: genesis.policy }
}

/** The version that a record leads to, signed by those whom the version before names. Throws Refused. */
export function followChange(change: Uint8Array, followed: Followed): Followed {
  return { ...followed, policy: checked('policy', () => checkPolicyChange(decode(policyChangeRecordShape, change), followed.policy, followed)) }
}

/** Throws Refused unless a version of the policy is at least as new as the newest that this co-signer ever went by, and lives. */
export function checkNewest(policy: Policy, register: Register, nowMs: number): void {
  const newest = register.policy
  const version = `version ${policy.version} of the policy`
  if (newest && policy.version < newest.version)
    throw new Refused('policy', `${version} is older than version ${newest.version}, which was followed here before`)
  if (newest?.version === policy.version && !equalBytes(newest.hash, policyHash(policy)))
    throw new Refused('policy', `${version} is another one than was followed here before`)
  if (BigInt(Math.floor(nowMs)) >= policy.expiresAtMs) throw new Refused('policy', `${version} has expired: the people who govern make the next one`)
}

function checked<T>(check: 'genesis' | 'policy', act: () => T): T {
  try {
    return act()
  } catch (cause) {
    const isForeseen = [EncodingFault, GenesisRefused, PolicyRefused, ApprovalRefused].some((each) => cause instanceof each)
    if (isForeseen) throw new Refused(check, (cause as Error).message, { cause })
    throw cause
  }
}
