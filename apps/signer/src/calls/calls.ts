import { type ChainCodec, faultOfOwnPath, pathText } from '@holdfast/chain-core'
import { decode, digest, EncodingFault, equalBytes, type Infer, type StructShape, toHex } from '@holdfast/encoding'
import { PeerError, clipText, type Handler, on } from '@holdfast/link'
import { cosign, EMPTY_ROOT, verifyConsistency } from '@holdfast/log'
import { DerivationError, derivePublicKey, deriveSiblings, signatureKindOf } from '@holdfast/mpc'
import { networksApart } from '@holdfast/policy'
import {
  addressesStatementShape,
  addressStatementShape,
  addressTree,
  ADDRESSES_AT_ONCE,
  type CallDefinition,
  joinShape,
  keyStatementShape,
  pinStatementShape,
  refusalStatementShape,
  requestHash,
  type SessionRequest,
  sessionRequestShape,
  type Signed,
  signerCalls,
  signMessage,
} from '@holdfast/protocol'
import { attestOrder } from './attest-order.ts'
import { endorse } from './endorse.ts'
import { followKeyOrder } from './follow-key-order.ts'
import { applyPolicy, hearPolicyChange, verifyPolicyChange } from './follow-policy.ts'
import { followSignerOrder } from './follow-signer-order.ts'
import { freeze, isNoFreeze } from './freeze.ts'
import { activateEpoch, attestEpoch, keyEpochs, keyPublic, retireEpoch } from './key-epochs.ts'
import { freezesToTell } from '../state/freezes.ts'
import { JournalError } from '../state/journal.ts'
import type { Organisation } from '../state/organisation.ts'
import { pinGenesis } from './pin-genesis.ts'
import { Refused } from '../checks/refused.ts'
import type { Key } from '../state/register.ts'
import { seeQuorum } from './see-quorum.ts'
import { sealShare } from './share-package.ts'
import { isNoDelegation, setDelegation } from './set-delegation.ts'
import type { Signer } from '../signer.ts'
import { stopStandingOrders } from './stop-standing-orders.ts'
import { VaultError } from '../state/vault-key.ts'
import { giveWord } from '../checks/words.ts'

type Definitions = typeof signerCalls
type Asked<K extends keyof Definitions> = Infer<Definitions[K]['request']>
type Answer<K extends keyof Definitions> = Infer<Definitions[K]['reply']>
/** Every call of the server, as a function. They throw PeerError. */
export type SignerCalls = { [K in keyof Definitions]: (asked: Asked<K>) => Promise<Answer<K>> }

const BUILD = 'holdfast-signer/0.1.0'

/** The signer's answers to the calls of the server. A refusal is written down, and leaves with a signed statement. */
export function createCalls(signer: Signer): SignerCalls {
  const answers: SignerCalls = {
    describe: async () => describe(signer),
    pinGenesis: async ({ record }) => attestPin(signer, await pinGenesis(signer, record)),
    applyPolicy: async ({ genesis, record, endorsements }) => ({
      version: await applyPolicy(signer, organisationOf(signer, genesis), record, endorsements),
    }),
    hearPolicy: async ({ genesis, record }) => {
      const organisation = organisationOf(signer, genesis)
      const untilMs = await hearPolicyChange(signer, organisation, verifyPolicyChange(signer, organisation, record))
      return { untilMs: untilMs === null ? null : BigInt(untilMs) }
    },
    endorse: async ({ genesis, subject }) => endorse(signer, servedBy(signer, genesis), subject),
    cosignCheckpoint: async (asked) => ({ line: await cosignCheckpoint(signer, servedBy(signer, asked.genesis), asked) }),
    status: async ({ genesis }) => statusOf(signer.organisation(genesis), signer.options.ports.clock.nowMs()),
    openSession: async ({ request }) => {
      const read = readRequest(request)
      return signer.sessions.open(servedBy(signer, read.genesis), read)
    },
    giveWord: async ({ genesis, joins }) =>
      giveWord(servedBy(signer, genesis), joins, { nowMs: signer.options.ports.clock.nowMs(), secretKey: signer.options.identity.secretKey }),
    startSession: async ({ requestHash, joins, words }) => signer.sessions.start(requestHash, joins, words),
    deliver: async ({ session, envelopes }) => signer.sessions.deliver(session, envelopes),
    endSession: async ({ requestHash }) => {
      await signer.sessions.end(requestHash)
      return {}
    },
    attestKey: async (asked) => attestKey(signer, ...keyOf(signer, asked)),
    keyEpochs: async ({ genesis, keyId }) => keyEpochs(servedBy(signer, genesis), keyId),
    keyPublic: async (asked) => keyPublic(...keyOf(signer, asked)),
    attestEpoch: async (asked) => attestEpoch(signer, servedBy(signer, asked.genesis), asked),
    activateEpoch: async (asked) => activateEpoch(servedBy(signer, asked.genesis), asked),
    retireEpoch: async (asked) => retireEpoch(servedBy(signer, asked.genesis), asked),
    followKeyOrder: async (asked) => followKeyOrder(signer, servedBy(signer, asked.genesis), asked),
    followSignerOrder: async (asked) => {
      await followSignerOrder(signer, servedBy(signer, asked.genesis), asked)
      return {}
    },
    bookStatus: async ({ genesis }) => {
      const { version, hash, entries } = organisationOf(signer, genesis).register.book
      return { version, hash, entries: BigInt(entries.size) }
    },
    standingOrders: async ({ genesis }) => {
      const kept = [...organisationOf(signer, genesis).register.standingOrders.values()]
      return { orders: kept.map(({ order: { id, version }, hash, stoppedBy }) => ({ id, version, hash, stoppedBy })) }
    },
    stopStandingOrders: async ({ genesis, stop }) => {
      await stopStandingOrders(signer, servedBy(signer, genesis), stop).catch(refuseUnsigned('the stop'))
      return {}
    },
    setDelegation: async ({ genesis, delegation }) => {
      return { sequence: await setDelegation(signer, servedBy(signer, genesis), delegation).catch(refuseUnsigned('the statement')) }
    },
    seeQuorum: async (asked) => seeQuorum(signer, servedBy(signer, asked.genesis), asked),
    freeze: async ({ genesis, freeze: given }) => {
      await freeze(signer, servedBy(signer, genesis), given).catch(refuseUnsigned('the freeze'))
      return {}
    },
    attestAddress: async (asked) => attestAddress(signer, ...keyOf(signer, asked), asked),
    attestAddresses: async (asked) => attestAddresses(signer, ...keyOf(signer, asked), asked),
    attestOrder: async (asked) => attestOrder(signer, servedBy(signer, asked.genesis), asked),
    sealShare: async (asked) => {
      const [organisation, key] = keyOf(signer, asked)
      return sealShare(organisation, signer.options.identity, key, (length) => signer.options.ports.random.bytes(length))
    },
  }
  const guarded = Object.entries(answers).map(([name, answer]) => [
    name,
    guard(signer, signerCalls[name as keyof Definitions], answer as (asked: unknown) => Promise<unknown>),
  ])
  return Object.fromEntries(guarded) as SignerCalls
}

/** What one person says alone is refused where it is not theirs, or says nothing. */
function refuseUnsigned(what: string): (cause: unknown) => never {
  return (cause) => {
    throw isNoFreeze(cause) || isNoDelegation(cause) ? new Refused('c6', `${what}: ${cause.message}`, { cause }) : cause
  }
}

/** The calls as handlers of a link. */
export function handlersOf(calls: SignerCalls): Handler[] {
  return (Object.keys(signerCalls) as (keyof Definitions)[]).map((name) =>
    on<StructShape, StructShape>(signerCalls[name], calls[name] as (asked: unknown) => Promise<unknown>),
  )
}

/** Gives every failure the form in which it may leave. What is not foreseen stays as it is: the link answers it without details. */
function guard(signer: Signer, definition: CallDefinition, answer: (asked: unknown) => Promise<unknown>): (asked: unknown) => Promise<unknown> {
  return async (asked) => {
    try {
      return await answer(asked)
    } catch (cause) {
      if (cause instanceof Refused) throw await refusalOf(signer, definition, asked, cause)
      if (cause instanceof JournalError) {
        throw new PeerError('unavailable', `this signer cannot write its journal and must be started again: ${cause.message}`, { cause })
      }
      if (cause instanceof VaultError || cause instanceof DerivationError) throw new PeerError('fault', cause.message, { cause })
      throw cause
    }
  }
}

/** The refusal as it leaves: in the organisation's journal, where there is one, as `Refusals` says, and stated under signature. */
async function refusalOf(signer: Signer, definition: CallDefinition, asked: unknown, { check, message, cause }: Refused): Promise<PeerError> {
  const { ports, identity, config } = signer.options
  const { hash, genesis } = subjectOf(definition, asked)
  const reason = clipText(message, 1000)
  // The joins of a session do not name the organisation; the journal that has the session does.
  const organisation = signer.organisation(genesis) ?? [...signer.organisations.values()].find(({ register }) => register.requests.has(toHex(hash)))
  const events = organisation?.refusals.eventsOf({ requestHash: hash, check, reason }, ports.clock.nowMs()) ?? []
  if (events.length > 0) await organisation?.journal.write(events)
  const statement = {
    genesis: organisation?.fingerprint ?? genesis,
    party: BigInt(config.party),
    requestHash: hash,
    check,
    reason,
    atMs: BigInt(ports.clock.nowMs()),
  }
  return new PeerError('refused', reason, { check, cause, statement: signMessage(refusalStatementShape, statement, BigInt(config.party), identity.secretKey) })
}

/** What a refusal speaks of: a session by the hash of its request, any other call by the digest of what was asked. */
function subjectOf(definition: CallDefinition, asked: unknown): { hash: Uint8Array; genesis: Uint8Array } {
  if (definition === signerCalls.openSession) {
    const request = decode(sessionRequestShape, (asked as Asked<'openSession'>).request)
    return { hash: requestHash(request), genesis: request.genesis }
  }
  if (definition === signerCalls.giveWord) {
    const { genesis, joins } = asked as Asked<'giveWord'>
    const spoken = requestOf(joins)
    if (spoken) return { hash: spoken, genesis }
  }
  const { requestHash: hash, genesis = new Uint8Array(32) } = asked as { requestHash?: Uint8Array; genesis?: Uint8Array }
  return { hash: hash ?? digest(definition.request as StructShape, asked as Record<string, unknown>), genesis }
}

/** The session whose joins these are, where they can be read. */
function requestOf([join]: readonly Signed[]): Uint8Array | undefined {
  try {
    return join && decode(joinShape, join.message).requestHash
  } catch (cause) {
    if (cause instanceof EncodingFault) return undefined
    throw cause
  }
}

function organisationOf(signer: Signer, genesis: Uint8Array): Organisation {
  const organisation = signer.organisation(genesis)
  if (!organisation) throw new Refused('c2', 'this signer has not pinned that organisation')
  return organisation
}

/** The organisation, where this signer is still one of its three. One that was replaced takes newer versions of the policy and does nothing else. */
function servedBy(signer: Signer, genesis: Uint8Array): Organisation {
  const organisation = organisationOf(signer, genesis)
  const named = organisation.signKeyOf(organisation.party)
  if (!named || !equalBytes(named, signer.options.identity.publicKey)) {
    throw new Refused('c1', `another signer has taken the place of this one in policy version ${organisation.policy.version}`)
  }
  return organisation
}

function keyOf(signer: Signer, { genesis, keyId, epoch }: { genesis: Uint8Array; keyId: Uint8Array; epoch: bigint }): [Organisation, Key] {
  const organisation = servedBy(signer, genesis)
  const key = organisation.keyOf(keyId, epoch)
  if (!key) throw new PeerError('fault', 'this signer holds no share of that key in that epoch')
  return [organisation, key]
}

function readRequest(encoded: Uint8Array): SessionRequest {
  try {
    return decode(sessionRequestShape, encoded)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new PeerError('fault', `the request cannot be read: ${cause.message}`, { cause })
    throw cause
  }
}

function describe({ options }: Signer): Answer<'describe'> {
  const { party, name, operator, approval } = options.config
  return {
    party: BigInt(party),
    name,
    operator,
    signKey: options.identity.publicKey,
    build: BUILD,
    approvalOrigin: approval?.origin ?? null,
    approvalRpId: approval?.rpId ?? null,
    pageHash: options.pageHash,
  }
}

function attestPin({ options }: Signer, { party, fingerprint }: Organisation): Answer<'pinGenesis'> {
  const statement = { genesis: fingerprint, party: BigInt(party), atMs: BigInt(options.ports.clock.nowMs()) }
  return signMessage(pinStatementShape, statement, BigInt(party), options.identity.secretKey)
}

/** Signs a checkpoint of the log that continues the last one this signer has signed. */
async function cosignCheckpoint({ options }: Signer, organisation: Organisation, asked: Asked<'cosignCheckpoint'>): Promise<string> {
  const { register, journal, fingerprint, party } = organisation
  const [size, oldSize] = [Number(asked.size), Number(asked.oldSize)]
  if (oldSize !== register.logSize) throw new PeerError('fault', `this signer is at size ${register.logSize} of the log`)
  const older = register.checkpoints.at(-1) ?? { size: 0, root: EMPTY_ROOT }
  if (size < older.size) throw new Refused('c11', `the log has shrunk from ${older.size} entries to ${size}`)
  if (!verifyConsistency(older, { size, root: asked.root }, asked.proof)) {
    throw new Refused('c11', `the checkpoint of size ${size} does not continue the one of size ${older.size}`)
  }
  if (size > older.size) await journal.write([{ kind: 'checkpointSigned', size: asked.size, root: asked.root }])
  return cosign({ genesis: fingerprint, size, root: asked.root }, `signer-${party}`, options.identity.secretKey)
}

function statusOf(organisation: Organisation | undefined, nowMs: number): Answer<'status'> {
  if (!organisation) return { pinned: false, policyVersion: 0n, logSize: 0n, journal: 0n, locked: [], frozen: [], away: null }
  const { policy, register, journal } = organisation
  const locked = [...register.burns.values()].map(({ keyId, epoch, peer, reason }) => ({ keyId, epoch, peer: BigInt(peer), reason }))
  const absence = register.absenceAt(nowMs)
  return {
    pinned: true,
    policyVersion: policy.version,
    logSize: BigInt(register.logSize),
    journal: BigInt(journal.position),
    locked,
    frozen: freezesToTell(register),
    away: absence && { party: BigInt(absence.party), untilMs: BigInt(absence.untilMs), intentHash: absence.intentHash },
  }
}

function attestKey({ options }: Signer, { fingerprint, party }: Organisation, { keyId, epoch, protocol, publicKey, chainCode }: Key): Answer<'attestKey'> {
  const statement = { genesis: fingerprint, party: BigInt(party), keyId, epoch, protocol, publicKey, chainCode, atMs: BigInt(options.ports.clock.nowMs()) }
  return signMessage(keyStatementShape, statement, BigInt(party), options.identity.secretKey)
}

function attestAddress(
  { options }: Signer,
  { fingerprint, party, policy }: Organisation,
  key: Key,
  { path, chain }: Asked<'attestAddress'>,
): Answer<'attestAddress'> {
  const codec = codecOf(options, policy, key, chain)
  const far = faultOfOwnPath(path)
  if (far !== undefined) throw new PeerError('fault', `the path ${pathText(path)} ${far}; no address is given out there`)
  const address = codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path.map(Number)))
  return signMessage(
    addressStatementShape,
    { genesis: fingerprint, party: BigInt(party), keyId: key.keyId, path, chain, address },
    BigInt(party),
    options.identity.secretKey,
  )
}

function attestAddresses(
  { options }: Signer,
  { fingerprint, party, policy }: Organisation,
  key: Key,
  { chain, subWallet, first, count }: Asked<'attestAddresses'>,
): Answer<'attestAddresses'> {
  const codec = codecOf(options, policy, key, chain)
  if (count < 1n || count > BigInt(ADDRESSES_AT_ONCE)) throw new PeerError('fault', `1 to ${ADDRESSES_AT_ONCE} addresses are attested at once, not ${count}`)
  // Later addresses of a sub-wallet are farther, so the last one decides.
  const last = [subWallet, first + count - 1n]
  const far = faultOfOwnPath(last)
  if (far !== undefined) throw new PeerError('fault', `the path ${pathText(last)} ${far}; no address is given out there`)
  const children = deriveSiblings(key, { parent: [Number(subWallet)], first: Number(first), count: Number(count) })
  const root = addressTree(children.map(codec.addressFromKey)).root()
  return signMessage(
    addressesStatementShape,
    { genesis: fingerprint, party: BigInt(party), keyId: key.keyId, chain, subWallet, first, count, root },
    BigInt(party),
    options.identity.secretKey,
  )
}

/** The codec of a network on which this key makes addresses. Throws PeerError. */
function codecOf(options: Signer['options'], policy: Organisation['policy'], key: Key, chain: string): ChainCodec {
  const codec = options.codecFor(chain)
  if (!codec?.signatureKinds.includes(signatureKindOf(key.protocol))) throw new PeerError('fault', `this key makes no addresses of ${chain}`)
  const apart = networksApart([...policy.assets.map((asset) => asset.chain), chain])
  if (apart) throw new PeerError('fault', `the keys of this organisation serve ${apart[0]}; an address of ${chain} would be one of theirs as well`)
  return codec
}
