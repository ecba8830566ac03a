import { readCollection, readNft, readTokenWallets } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { networksApart } from './one-network.ts'
import { faultOfDeputies } from './people/deputies.ts'
import { faultOfGroups } from './people/groups.ts'
import { faultOfParts } from './parts.ts'
import { faultOfMachines } from './people/machines.ts'
import { faultOfCooling } from './rules/listing-cooling.ts'
import { hasThirdForm, type Policy, PolicyRefused, type RecoveryRecipients } from './policy.ts'
import { checkQuorum, checkRule } from './rules/check-rule.ts'
import { faultOfValuation } from './rules/valuation.ts'
import { faultOfSigners, namedIn } from './signers.ts'

/** Checks that a policy makes sense by itself: names, references, and that every quorum can be met. Throws PolicyRefused. */
export function checkPolicy(policy: Policy): void {
  if (policy.expiresAtMs <= policy.issuedAtMs) throw new PolicyRefused('expires before it begins')
  const signers = namedIn(policy)
  const fault = (signers && faultOfSigners(signers)) ?? faultOfGroups(policy) ?? faultOfThirdForm(policy)
  if (fault) throw new PolicyRefused(fault)
  checkPeople(policy)
  if (policy.origins.length === 0) throw new PolicyRefused('names no approval origin')
  checkAssets(policy)
  checkWallets(policy)
  const ruleIds = policy.rules.map((rule) => rule.id)
  if (new Set(ruleIds).size !== ruleIds.length) throw new PolicyRefused('has two rules of one id')
  for (const rule of policy.rules) checkRule(policy, rule)
  checkQuorum(policy, 'governance', policy.governance.approvers, policy.governance.threshold)
  for (const each of policy.recovery) if (each.kind === 'quorum') checkRecoveryQuorum(policy, each)
}

function faultOfThirdForm(policy: Policy): string | undefined {
  if (!hasThirdForm(policy)) return undefined
  return faultOfMachines(policy) ?? faultOfParts(policy) ?? faultOfValuation(policy) ?? faultOfCooling(policy) ?? faultOfDeputies(policy)
}

function checkAssets({ assets }: Policy): void {
  const pinned = assets.map((asset) => `${asset.chain}|${asset.contract ?? ''}`)
  if (new Set(pinned).size !== pinned.length) throw new PolicyRefused('pins an asset twice')
  const apart = networksApart(assets.map(({ chain }) => chain))
  if (apart) throw new PolicyRefused(`pins assets of ${apart.join(' and ')}: what is signed for the one is valid on the other, so a key serves one of them`)
  for (const { contract, symbol, decimals } of assets) {
    if (readNft(contract)) throw new PolicyRefused(`pins one token of ${symbol}: pin the collection, and name the token in a rule`)
    if (readCollection(contract) && decimals !== 0n) throw new PolicyRefused(`counts tokens of ${symbol} in fractions: give the collection 0 decimals`)
  }
}

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
