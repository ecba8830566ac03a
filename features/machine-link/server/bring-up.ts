import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import type { Link } from '@holdfast/link'
import { coSignerCalls } from '@holdfast/protocol/co-signer-calls'
import { last } from '@holdfast/units'
import { newestMark, noteSeen } from './link-state.ts'
import { type MachineDoor, type NamedMachine, nameOf } from './machine-door.ts'

const CALL_MS = 20_000
/** It takes them in the order in which they are sent, and there may be hundreds: none waits for the answer to the one before. */
const CHANGES_AT_ONCE = 100

/**
 * Tells a co-signer the founding document and each version of the policy that it has not been told on this link, up to the one in force. What it says of
 * itself is written down. Throws PeerError where it refuses, or is gone.
 */
export async function bringUp({ db, ports }: Pick<ServerContext, 'db' | 'ports'>, door: MachineDoor, machine: NamedMachine, link: Link): Promise<void> {
  const { orgId, genesis, machineId } = machine
  const [inForce, mark] = await db.readOrganisation(orgId, (tx) => Promise.all([currentPolicy(tx), newestMark(tx, machineId)]))
  const known = door.connected.get(nameOf(machine))
  const isSame = known?.link === link
  if (isSame && known.policyVersion === inForce.policy.version) return
  const begun = isSame ? known : await begin()
  let { policyVersion } = begun
  // Each change makes the next version, beginning with 2.
  const changes = inForce.policyChanges.slice(Number(policyVersion) - 1)
  for (let told = 0; told < changes.length; told += CHANGES_AT_ONCE) {
    const together = changes.slice(told, told + CHANGES_AT_ONCE)
    const said = await Promise.all(together.map((change) => link.call(coSignerCalls.follow, { genesis, change }, { timeoutMs: CALL_MS })))
    policyVersion = last(said).policyVersion
  }
  door.connected.set(nameOf(machine), { link, policyVersion, version: begun.version })

  async function begin() {
    const said = await link.call(coSignerCalls.begin, { genesis, genesisRecord: inForce.genesisRecord, mark }, { timeoutMs: CALL_MS })
    await db.asOrganisation(orgId, (tx) => noteSeen(tx, machineId, { version: said.version, mark: said.mark, nowMs: ports.clock.nowMs() }))
    return said
  }
}
