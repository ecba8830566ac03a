import { decode, encode, EncodingFault, equalBytes, type Infer, toHex } from '@holdfast/encoding'
import { PeerError } from '@holdfast/link'
import { keyPublicOf, keyPublicShape, verifyByRootKey } from '@holdfast/mpc'
import { drillDigest, drillRecordShape, type EpochStatement, epochStatementShape, openSigned, type Signed, signerCalls, signMessage } from '@holdfast/protocol'
import type { Organisation } from '../state/organisation.ts'
import { Refused } from '../checks/refused.ts'
import type { Key, Staged } from '../state/register.ts'
import type { Signer } from '../signer.ts'

/*
 * How a key goes from one epoch to the next. A session has put the new share into the vault (staged). Each signer says so under its signature; with the words
 * of all three each goes over to the new epoch, and from then on signs with no other. The old share is kept until a drill has proven the new recovery kit.
 * A crash anywhere leaves the old epoch whole, or the new: as long as one signer has not gone over, all three have the new share and can.
 */

type Definitions = typeof signerCalls
type Asked<K extends keyof Definitions> = Infer<Definitions[K]['request']>
type Answer<K extends keyof Definitions> = Infer<Definitions[K]['reply']>

export function keyEpochs({ register }: Organisation, keyId: Uint8Array): Answer<'keyEpochs'> {
  const name = toHex(keyId)
  const staged = register.staged.get(name)
  return {
    active: register.keys.get(name)?.epoch ?? null,
    staged: staged ? { epoch: staged.epoch, key: staged.key, intentHash: staged.intentHash } : null,
    former: (register.former.get(name) ?? []).map((key) => key.epoch),
  }
}

export async function keyPublic(organisation: Organisation, key: Key): Promise<Answer<'keyPublic'>> {
  return { key: encode(keyPublicShape, keyPublicOf(await organisation.share(key))) }
}

/** This signer's word that the next epoch is on disk here, whole. It is on disk that the word was given before it leaves. */
export async function attestEpoch({ options }: Signer, organisation: Organisation, { keyId, epoch }: Asked<'attestEpoch'>): Promise<Signed> {
  const staged = stagedOf(organisation, keyId, epoch)
  if (!(await organisation.isComplete(staged))) throw new PeerError('fault', `this signer is not ready for epoch ${epoch}: set up its pairs first`)
  if (organisation.stagedOf(keyId, epoch) !== staged) throw new PeerError('unavailable', 'another run is under way: ask again')
  if (!staged.attested) await organisation.journal.write([{ kind: 'epochAttested', keyId, epoch }])
  const statement = statementOf(organisation, organisation.party, staged, BigInt(options.ports.clock.nowMs()))
  return signMessage(epochStatementShape, statement, BigInt(organisation.party), options.identity.secretKey)
}

function statementOf({ fingerprint }: Organisation, party: number, staged: Staged, atMs: bigint): EpochStatement {
  const { keyId, epoch, protocol, publicKey, chainCode, key, intentHash } = staged
  return { genesis: fingerprint, party: BigInt(party), keyId, epoch, protocol, publicKey, chainCode, key, intentHash, atMs }
}

/** Goes over to the next epoch, with the word of all three that they have it. Throws Refused c1. */
export async function activateEpoch(organisation: Organisation, { keyId, epoch, statements }: Asked<'activateEpoch'>): Promise<Answer<'activateEpoch'>> {
  if (organisation.keyOf(keyId, epoch)) return {}
  const staged = stagedOf(organisation, keyId, epoch)
  // Those who made the shares, of whom one may have been replaced since: all three went over by their words, or none did.
  for (const { party, signKey } of staged.signers) {
    const given = statements.filter((each) => each.party === party)
    const [word] = given
    if (!word || given.length !== 1 || statements.length !== staged.signers.length) {
      throw new Refused('c1', `epoch ${epoch} becomes active with one word of each of the three signers, and signer ${party} gave ${given.length}`)
    }
    const said = openStatement(word, signKey)
    if (!said) throw new Refused('c1', `the word in the name of signer ${party} is not signed by it`)
    const wanted = statementOf(organisation, Number(party), staged, said.atMs)
    const encoded = encode(epochStatementShape, wanted)
    if (!equalBytes(encoded, word.message)) throw new Refused('c1', `signer ${party} speaks of other shares than the one that is ready here`)
  }
  await organisation.journal.write([{ kind: 'epochActivated', keyId, epoch }])
  return {}
}

function openStatement(signed: Signed, signKey: Uint8Array): EpochStatement | undefined {
  try {
    return openSigned(epochStatementShape, signed, signKey)
  } catch (cause) {
    if (cause instanceof EncodingFault) return undefined
    throw cause
  }
}

/**
 * Gives up the share of an old epoch: the drill proves, by a signature of the whole key itself, that the recovery kit of the epoch in use rebuilds it. The
 * journal says so before the files go. Throws Refused c4.
 */
export async function retireEpoch(organisation: Organisation, { keyId, epoch, drill }: Asked<'retireEpoch'>): Promise<Answer<'retireEpoch'>> {
  const { register, fingerprint } = organisation
  const active = register.keys.get(toHex(keyId))
  if (!active || epoch >= active.epoch) throw new Refused('c4', `epoch ${epoch} is not one before the epoch in use`)
  const kept = register.former.get(toHex(keyId))?.find((each) => each.epoch === epoch)
  if (!kept) return {}
  const record = readDrill(drill)
  const isOfThisKey = equalBytes(record.drill.genesis, fingerprint) && equalBytes(record.drill.keyId, keyId)
  if (!isOfThisKey) throw new Refused('c4', 'the drill is of another key')
  if (record.drill.epoch !== active.epoch) throw new Refused('c4', `the drill is of epoch ${record.drill.epoch}, and epoch ${active.epoch} is in use`)
  if (!verifyByRootKey(active.protocol, record.signature, drillDigest(record.drill), active.publicKey)) {
    throw new Refused('c4', 'the drill is not signed by the key')
  }
  await organisation.journal.write([{ kind: 'epochRetired', keyId, epoch }])
  await organisation.forgetEpoch(kept)
  return {}
}

function readDrill(encoded: Uint8Array) {
  try {
    return decode(drillRecordShape, encoded)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new Refused('c4', `the drill: ${cause.message}`, { cause })
    throw cause
  }
}

function stagedOf(organisation: Organisation, keyId: Uint8Array, epoch: bigint): Staged {
  const staged = organisation.stagedOf(keyId, epoch)
  if (!staged) throw new PeerError('fault', `this signer has no epoch ${epoch} of that key ready`)
  return staged
}
