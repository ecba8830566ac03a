import type { OrganisationTx } from '@holdfast/db'
import { fillSteps, machinesOf, partyOfMachine, type Policy, type Step } from '@holdfast/policy'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import { readSeen } from './link-state.ts'

/** The first version of the co-signer's program that decides on batches; one before it leaves them without an answer. */
export const DECIDES_ON_BATCHES = '1.1.0'

/** A co-signer whose program is too old for what it would have to decide on. */
export type OutdatedCoSigner = { name: string; version: string }

/**
 * A co-signer whose word these steps need, and whose program said when it was here last that it is older than `since`; undefined if there is none. One that was
 * never here says nothing of itself, and may come in any version.
 */
export async function outdatedCoSigner(tx: OrganisationTx, policy: Policy, steps: readonly Step[], since: string): Promise<OutdatedCoSigner | undefined> {
  const seen = await readSeen(tx)
  const outdated = machinesOf(policy).flatMap(({ kind, id, name }) => {
    const here = seen.get(id)
    return kind === 'coSigner' && here && isOlder(here.version, since) ? [{ party: bytesToUuid(partyOfMachine({ id })), name, version: here.version }] : []
  })
  const everybody = [...new Set(steps.flatMap(({ eligible }) => eligible.map(bytesToUuid)))]
  const without = everybody.filter((id) => !outdated.some(({ party }) => party === id))
  if (fillSteps(steps, without.map(uuidToBytes)).missing === 0) return undefined
  return outdated.find(({ party }) => everybody.includes(party))
}

/** Whether a version in three numbers is before another one. What is none of that form is from nobody who could say what it is able to. */
export function isOlder(version: string, since: string): boolean {
  const numbersOf = (text: string) => /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(text)?.slice(1).map(Number)
  const [own, wanted] = [numbersOf(version), numbersOf(since)]
  if (!own || !wanted) return true
  const differing = own.findIndex((each, i) => each !== wanted[i])
  return differing !== -1 && (own[differing] ?? 0) < (wanted[differing] ?? 0)
}
