import type { ServerContext } from '@holdfast/features/context'
import { signerCalls } from '@holdfast/protocol'
import type { PolicyInForce } from './current-policy.ts'

type Needs = Pick<ServerContext, 'coSigners'>

/**
 * Hands every connected signer the versions of the policy it has not heard of yet, in their order, and answers which signers follow
 * the version in force. A signer that does not answer, or does not accept one, is left out: it would refuse every order.
 */
export async function bringSignersUp({ coSigners }: Needs, inForce: PolicyInForce): Promise<number[]> {
  const parties = await Promise.all(coSigners.online().map((party) => bringUp(coSigners, party, inForce)))
  return parties.filter((party) => party !== undefined)
}

async function bringUp(coSigners: Needs['coSigners'], party: number, { policy, fingerprint, policyChanges }: PolicyInForce): Promise<number | undefined> {
  try {
    const status = await coSigners.call(party, signerCalls.status, { genesis: fingerprint })
    if (!status.pinned) return undefined
    // The first change leads from version 1 to 2. A signer ahead of us knows of a change that we have still to write down.
    for (const record of policyChanges.slice(Number(status.policyVersion) - 1)) {
      await coSigners.call(party, signerCalls.applyPolicy, { genesis: fingerprint, record })
    }
    return status.policyVersion > policy.version ? undefined : party
  } catch {
    // Whoever asks for signatures asks again; a refusal stands in the signer's own journal.
    return undefined
  }
}
