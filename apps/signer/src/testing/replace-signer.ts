import { decode, encode } from '@holdfast/encoding'
import { type GenesisRecord, genesisRecordShape, type Policy, policyChangeRecordShape, signersOf } from '@holdfast/policy'
import { type SignerCalls, createCalls } from '../calls/calls.ts'
import type { SignerConfig } from '../signer.ts'
import { openSigner } from './cluster.ts'
import type { Founded, Office } from './founded-cluster.ts'
import { policyChangeOf } from './policy-change-of.ts'
import { ann, ben, cleo } from './world-of.ts'

export type Newcomer = { calls: SignerCalls; signKey: Uint8Array }

let newcomers = 0

/** A machine with an identity of its own, which no document names yet. It is closed with the test. */
export async function openNewcomer(
  t: { after(callback: () => Promise<void>): void },
  office: Office,
  party: number,
  changes: Partial<SignerConfig> = {},
): Promise<Newcomer & { seat(): void }> {
  const signer = await openSigner(`${office.root}/newcomer-${newcomers++}`, party, office.time, changes)
  const calls = createCalls(signer)
  t.after(() => signer.close())
  /** Whoever asks signer `party` from now on asks this machine. */
  const seat = () => void office.calls.set(party, calls)
  return { calls, signKey: signer.options.identity.publicKey, seat }
}

/** The version that puts a newcomer in the place of signer `party`, signed by the quorum. */
export function replacementOf({ organisation }: Founded, current: Policy, party: number, signKey: Uint8Array) {
  const signers = signersOf(organisation.genesis, current).map((each) =>
    each.party === BigInt(party) ? { ...each, name: `new signer ${party}`, operator: 'Operator 4', signKey } : each,
  )
  return policyChangeOf(organisation, current, { kind: 'namedSigners', signers }, [ben, cleo], { initiator: ann })
}

/** What a newcomer pins: the founding document with these changes of the policy. */
export function followedRecord({ organisation }: Founded, changes: readonly { record: Uint8Array }[]): Uint8Array {
  const { genesis, acceptances } = decode(genesisRecordShape, organisation.record)
  const policyChanges = changes.map(({ record }) => decode(policyChangeRecordShape, record))
  const followed: GenesisRecord = { kind: 'followed', genesis, acceptances, policyChanges }
  return encode(genesisRecordShape, followed)
}
