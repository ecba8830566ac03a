import { ChainError, deadAddress, readCollection, readNft, STAKE_ACTIONS, readTokenWallets } from '@holdfast/chain-core'
import { ANY_SUPPLY, parseSignature, SIGNATURE_MAX } from '@holdfast/chain-evm/codec'
import { bool, bytes, digest, equalBytes, type Infer, list, optional, struct, text, toHex, uint, union } from '@holdfast/encoding'
import { assetShape, credentialShape, originShape } from '@holdfast/intent'
import { known } from '@holdfast/units'
import { networksApart } from './one-network.ts'
import { faultOfSigners, signerShape } from './signers.ts'

/** A member of the organisation. A person is not a credential: quorums count people. */
const personShape = struct('holdfast/person/v1', {
  id: bytes(16),
  name: text(200),
  credentials: list(credentialShape, 16),
})

const windowShape = optional(struct('holdfast/rule-window/v1', { lengthMs: uint(), maxAmount: uint(256) }))

/**
 * Who may ask for payments and who must approve them. `chain` and `asset` absent match all; `maxAmount` absent has no upper bound; `asset` is the contract,
 * empty text for the chain's own coin, a collection (`collectionAsset`) or one token of it (`nftAsset`). `window` caps what signers let through of each asset
 * under this rule in any stretch of that length, counted by each signer itself in base units of that asset.
 */
const transferRuleShape = struct('holdfast/rule/v1', {
  id: text(64),
  chain: optional(text(64)),
  asset: optional(text(128)),
  maxAmount: optional(uint(256)),
  window: windowShape,
  initiators: list(bytes(16), 256),
  approvers: list(bytes(16), 256),
  threshold: uint(8),
})

/**
 * The first form of a rule for calls, which stays readable. `functions` absent stood for every function that an order names, and no rule bounded allowances:
 * signers follow it no more for what moves tokens or gives rights, nor without functions (`evaluateCall`). Otherwise as `boundedCallRuleShape`.
 */
const callRuleShape = struct('holdfast/call-rule/v1', {
  id: text(64),
  chain: text(64),
  payers: optional(list(text(128), 256)),
  contracts: list(text(128), 256),
  functions: optional(list(text(SIGNATURE_MAX), 256)),
  maxValue: uint(256),
  window: windowShape,
  unlimitedAllowances: bool(),
  unknownCallData: bool(),
  initiators: list(bytes(16), 256),
  approvers: list(bytes(16), 256),
  threshold: uint(8),
})

/**
 * Who may have which functions of which contracts called, and who must approve. `payers` are the addresses that may call, absent all of them; `functions` are
 * canonical signatures: besides what is called, whatever known function that moves tokens or gives rights stands anywhere in the call data has to be among
 * them. `maxValue` counts the chain's own coin that goes along with one call; `maxTokens` the tokens, in base units, that one call moves or lets others take,
 * all together; `window` both, the tokens for each contract that is called. Rights without end over tokens, and call data that nobody can read, need their
 * own word each.
 */
const boundedCallRuleShape = struct('holdfast/call-rule/v2', {
  id: text(64),
  chain: text(64),
  payers: optional(list(text(128), 256)),
  contracts: list(text(128), 256),
  functions: list(text(SIGNATURE_MAX), 256),
  maxValue: uint(256),
  maxTokens: uint(256),
  window: optional(struct('holdfast/call-rule-window/v1', { lengthMs: uint(), maxAmount: uint(256), maxTokens: uint(256) })),
  unlimitedAllowances: bool(),
  unknownCallData: bool(),
  initiators: list(bytes(16), 256),
  approvers: list(bytes(16), 256),
  threshold: uint(8),
})

/**
 * Who may order what about stake, and who must approve. `payers` are the accounts whose stake it is, absent all of them; `receivers` whom may be delegated
 * to, absent anybody; `maxAmount` and `window` count the coin staked that orders are about; a delegation may be locked for `maxLockBlocks` at most.
 */
const stakeRuleShape = struct('holdfast/tron-resource-rule/v1', {
  id: text(64),
  chain: text(64),
  payers: optional(list(text(128), 256)),
  actions: list(text(16), STAKE_ACTIONS.length),
  receivers: optional(list(text(128), 256)),
  maxAmount: uint(256),
  maxLockBlocks: uint(),
  window: windowShape,
  initiators: list(bytes(16), 256),
  approvers: list(bytes(16), 256),
  threshold: uint(8),
})

/**
 * The age recipients of one signer's recovery share: officers of the organisation. Any one of them opens it (`single`), or `threshold` of them together
 * (`quorum`).
 */
const recoveryShape = union({
  single: struct('holdfast/recovery-recipients/v1', { party: uint(8), recipients: list(text(4096), 16) }),
  quorum: struct('holdfast/recovery-recipients/v2', { party: uint(8), threshold: uint(8), recipients: list(text(4096), 16) }),
})

const policyFields = {
  /** Hash of the genesis document; 32 zero bytes in version 1, which the genesis document itself contains. */
  genesis: bytes(32),
  version: uint(),
  /** Hash of the version before; 32 zero bytes in version 1. */
  previous: bytes(32),
  issuedAtMs: uint(),
  expiresAtMs: uint(),
  people: list(personShape, 256),
  origins: list(originShape, 16),
  assets: list(assetShape, 1024),
  rules: list(union({ transfer: transferRuleShape, call: callRuleShape, boundedCall: boundedCallRuleShape, stake: stakeRuleShape }), 256),
  /** Who signs the next version of the policy. */
  governance: struct('holdfast/governance/v1', { approvers: list(bytes(16), 256), threshold: uint(8) }),
  /** age recipients to which each signer seals its recovery share; a signer without recipients makes no key. */
  recovery: list(recoveryShape, 16),
}

/** A version of the policy: of the signers in the genesis document (`foundingSigners`), or, once one of them was replaced, of those it names itself. */
export const policyShape = union({
  foundingSigners: struct('holdfast/policy/v1', policyFields),
  namedSigners: struct('holdfast/policy/v2', { ...policyFields, signers: list(signerShape, 3) }),
})

export type Policy = Infer<typeof policyShape>
export type Person = Infer<typeof personShape>
export type TransferRule = { kind: 'transfer' } & Infer<typeof transferRuleShape>
export type FirstCallRule = { kind: 'call' } & Infer<typeof callRuleShape>
export type BoundedCallRule = { kind: 'boundedCall' } & Infer<typeof boundedCallRuleShape>
export type CallRule = FirstCallRule | BoundedCallRule
export type StakeRule = { kind: 'stake' } & Infer<typeof stakeRuleShape>
export type Rule = TransferRule | CallRule | StakeRule
export type RecoveryRecipients = Infer<typeof recoveryShape>

export const FIRST_VERSION = 1n
export const NO_HASH = new Uint8Array(32)

/** Why a policy document cannot stand. The message says what to change. */
export class PolicyRefused extends Error {
  override name = 'PolicyRefused'
}

/** A policy is hashed once: it has hundreds of people, and every order, word and approval names it. It is never changed after that. */
const hashes = new WeakMap<Policy, Uint8Array>()

/** SHA-256 of the policy's canonical bytes. */
export function policyHash(policy: Policy): Uint8Array {
  const hash = hashes.get(policy) ?? digest(policyShape, policy)
  hashes.set(policy, hash)
  return hash
}

export function findPerson(policy: Policy, id: Uint8Array): Person | undefined {
  return policy.people.find((person) => equalBytes(person.id, id))
}

/** Checks that a policy makes sense by itself: names, references, and that every quorum can be met. Throws PolicyRefused. */
export function checkPolicy(policy: Policy): void {
  if (policy.expiresAtMs <= policy.issuedAtMs) throw new PolicyRefused('expires before it begins')
  const fault = policy.kind === 'namedSigners' ? faultOfSigners(policy.signers) : undefined
  if (fault) throw new PolicyRefused(fault)
  checkPeople(policy)
  if (policy.origins.length === 0) throw new PolicyRefused('names no approval origin')
  const pinned = policy.assets.map((asset) => `${asset.chain}|${asset.contract ?? ''}`)
  if (new Set(pinned).size !== pinned.length) throw new PolicyRefused('pins an asset twice')
  const apart = networksApart(policy.assets.map(({ chain }) => chain))
  if (apart) throw new PolicyRefused(`pins assets of ${apart.join(' and ')}: what is signed for the one is valid on the other, so a key serves one of them`)
  for (const { contract, symbol, decimals } of policy.assets) {
    if (readNft(contract)) throw new PolicyRefused(`pins one token of ${symbol}: pin the collection, and name the token in a rule`)
    if (readCollection(contract) && decimals !== 0n) throw new PolicyRefused(`counts tokens of ${symbol} in fractions: give the collection 0 decimals`)
  }
  checkWallets(policy)
  const ruleIds = policy.rules.map((rule) => rule.id)
  if (new Set(ruleIds).size !== ruleIds.length) throw new PolicyRefused('has two rules of one id')
  for (const rule of policy.rules) {
    checkQuorum(policy, `rule ${rule.id}`, rule.approvers, rule.threshold)
    if (rule.initiators.length === 0) throw new PolicyRefused(`rule ${rule.id} lets nobody ask`)
    checkMembers(policy, `rule ${rule.id}`, rule.initiators)
    if (isCallRule(rule)) checkCallRule(policy, rule)
    if (rule.kind === 'boundedCall') checkBounds(rule)
    if (rule.kind === 'stake') checkStakeRule(policy, rule)
  }
  checkQuorum(policy, 'governance', policy.governance.approvers, policy.governance.threshold)
  for (const each of policy.recovery) if (each.kind === 'quorum') checkRecoveryQuorum(policy, each)
}

export const isCallRule = (rule: Rule): rule is CallRule => rule.kind === 'call' || rule.kind === 'boundedCall'

/** Wallets of a token are pinned beside the token, once, and go by its name. */
function checkWallets({ assets }: Policy): void {
  const pins = assets.flatMap((asset) => {
    const wallets = readTokenWallets(asset.contract)
    return wallets ? [{ ...asset, token: wallets.token }] : []
  })
  for (const { chain, token, symbol, decimals } of pins) {
    const pinned = assets.find((each) => each.chain === chain && each.contract === token)
    if (pinned?.symbol !== symbol || pinned.decimals !== decimals)
      throw new PolicyRefused(`pins wallets of ${symbol} and not the token by that name: pin the token too`)
    if (pins.filter((each) => each.chain === chain && each.token === token).length > 1) throw new PolicyRefused(`pins the wallets of ${symbol} twice`)
  }
}

function checkCallRule(policy: Policy, { id, chain, payers, contracts, functions }: CallRule): void {
  if (!policy.assets.some((asset) => asset.chain === chain && asset.contract === null))
    throw new PolicyRefused(`rule ${id} is for calls on ${chain}, whose own coin the policy does not pin`)
  if (contracts.length === 0) throw new PolicyRefused(`rule ${id} names no contract`)
  if (payers?.length === 0) throw new PolicyRefused(`rule ${id} lets no address call`)
  if (functions?.length === 0) throw new PolicyRefused(`rule ${id} names no function`)
  for (const signature of functions ?? []) {
    try {
      parseSignature(signature)
    } catch (cause) {
      if (cause instanceof ChainError) throw new PolicyRefused(`rule ${id}: ${cause.message}`, { cause })
      throw cause
    }
  }
}

function checkBounds({ id, contracts, functions, maxTokens, chain }: BoundedCallRule): void {
  if (functions.length === 0) throw new PolicyRefused(`rule ${id} names no function`)
  if (maxTokens >= ANY_SUPPLY)
    throw new PolicyRefused(`rule ${id} lets ${maxTokens} base units of a token be moved or allowed, more than any supply: set a limit`)
  const dead = contracts.find((contract) => deadAddress(chain, contract) === 'nobody')
  if (dead !== undefined) throw new PolicyRefused(`rule ${id} names ${dead}, at which there can be no contract`)
}

function checkStakeRule(policy: Policy, { id, chain, payers, actions, receivers }: StakeRule): void {
  if (!policy.assets.some((asset) => asset.chain === chain && asset.contract === null))
    throw new PolicyRefused(`rule ${id} is for stake on ${chain}, whose own coin the policy does not pin`)
  if (actions.length === 0) throw new PolicyRefused(`rule ${id} lets nothing be done`)
  const unknown = actions.find((action) => !STAKE_ACTIONS.some((each) => each === action))
  if (unknown !== undefined) throw new PolicyRefused(`rule ${id} names ${unknown}, which is nothing that can be done with stake`)
  if (new Set(actions).size !== actions.length) throw new PolicyRefused(`rule ${id} names an action twice`)
  if (payers?.length === 0) throw new PolicyRefused(`rule ${id} is for no account`)
  if (receivers?.length === 0) throw new PolicyRefused(`rule ${id} lets nobody be delegated to; leave out delegations`)
}

/** Officers of whom several are needed. That one of them counts for two signers would make several shares hang on the same people. */
function checkRecoveryQuorum(policy: Policy, { party, threshold, recipients }: RecoveryRecipients & { kind: 'quorum' }): void {
  const where = `recovery of signer ${party}`
  if (new Set(recipients).size !== recipients.length) throw new PolicyRefused(`${where} names an officer twice`)
  if (threshold < 2n)
    throw new PolicyRefused(`${where} asks for ${threshold} officer(s) together: where one is enough, write it as recipients of whom any opens the share`)
  if (threshold > BigInt(recipients.length)) throw new PolicyRefused(`${where} asks for ${threshold} of ${recipients.length} officers, which nobody can meet`)
  const others = policy.recovery.filter((other) => other.party !== party).flatMap((other) => other.recipients)
  if (recipients.some((recipient) => others.includes(recipient)))
    throw new PolicyRefused(`${where} names an officer of another signer: give each signer officers of its own`)
}

function checkPeople(policy: Policy): void {
  const ids = policy.people.map((person) => toHex(person.id))
  if (ids.length === 0) throw new PolicyRefused('names no person')
  if (new Set(ids).size !== ids.length) throw new PolicyRefused('names a person twice')
  const credentials = policy.people.flatMap((person) => person.credentials)
  const credentialIds = credentials.map((credential) => toHex(credential.id))
  if (new Set(credentialIds).size !== credentialIds.length) throw new PolicyRefused('gives one credential to two people')
  const publicKeys = credentials.map((credential) => toHex(credential.publicKey))
  if (new Set(publicKeys).size !== publicKeys.length) throw new PolicyRefused('gives one public key to two credentials')
  for (const credential of credentials) {
    if (credential.kind !== 'webauthn' && credential.kind !== 'device') throw new PolicyRefused(`has a credential of unknown kind ${credential.kind}`)
  }
}

function checkMembers(policy: Policy, where: string, ids: Uint8Array[]): void {
  if (new Set(ids.map(toHex)).size !== ids.length) throw new PolicyRefused(`${where} names a person twice`)
  for (const id of ids) if (!findPerson(policy, id)) throw new PolicyRefused(`${where} names ${toHex(id)}, who is not in the policy`)
}

function checkQuorum(policy: Policy, where: string, approvers: Uint8Array[], threshold: bigint): void {
  checkMembers(policy, where, approvers)
  if (threshold < 1n) throw new PolicyRefused(`${where} asks for no approval: set at least 1`)
  if (threshold > BigInt(approvers.length)) throw new PolicyRefused(`${where} asks for ${threshold} of ${approvers.length} approvers, which nobody can meet`)
  for (const id of approvers) {
    if (known(findPerson(policy, id), 'an approver').credentials.length === 0) throw new PolicyRefused(`${where} names an approver without an approval key`)
  }
}
