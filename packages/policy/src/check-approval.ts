import { equalBytes } from '@holdfast/encoding'
import {
  askersOf,
  AssertionRefused,
  CodedRefusal,
  type Delegation,
  delegationOf,
  earlierRenderings,
  type Intent,
  intentHash,
  judgedAs,
  LOCALES,
  type Locale,
  movesMoney,
  renderFor,
  renderHash,
  type Rendering,
  type RefusalOf,
  type RenderContext,
  verifyAssertion,
  type Vote,
  voteChallenge,
  wordings,
} from '@holdfast/intent'
import { known } from '@holdfast/units'
import { countsTokens, isUnlimitedGrant } from './evaluate/evaluate-call.ts'
import { readVenueTrade } from './evaluate/evaluate-trade.ts'
import { venueForm } from './rules/trade-bounds.ts'
import { describesPinnedAssets } from './describe/describes-pinned-assets.ts'
import { describePolicy } from './describe/describe-policy.ts'
import { checkDelegation, DELEGATION_REFUSALS, DelegationRefused, isInForce } from './people/check-delegation.ts'
import { isAmong } from './people/is-among.ts'
import { findSpeaker } from './people/speaker.ts'
import { recipientFingerprint } from './recipient-fingerprint.ts'
import { findPerson, type Person, type Policy, policyHash, readPolicy } from './policy.ts'

/** Why an approval does not count, by code. */
export const APPROVAL_REFUSALS = {
  ...DELEGATION_REFUSALS,
  'approval-other-organisation': 'made for another organisation',
  'approval-other-order': 'made for another order',
  'approval-other-policy': 'made under another policy version',
  'approval-unknown-decision': 'unknown decision {decision}',
  'approval-unknown-language': 'unknown language {language}',
  'approval-other-asset': 'the order describes an asset as the policy does not',
  'approval-other-words': 'shown in other words than the order has',
  'approval-out-of-time': 'signed outside the time the order is open',
  'approval-by-stranger': 'given by somebody who is not in the policy',
  'machine-unknown': 'signed by the machine {machine}, which can sign nothing of this order',
  'machine-out-of-place': 'the machine {name} cannot say “{decision}” of this order',
  'machine-expired': 'the machine {name} has expired',
  'machine-strange-key': 'not signed with the key of the machine {name}',
  'delegated-other-order': 'given for another person: that counts in orders that move money, and in no other',
  'delegated-by-another': 'given by somebody whom the statement does not name',
  'delegated-by-asker': 'given for another person, and one of the two asked for the order',
  'delegated-out-of-time': 'given for another person at a time for which that person did not say so',
  'delegated-expired': 'given for another person, and the time for which that person said so has passed',
  'approval-strange-key': "made with a key that is not one of {name}'s",
} as const

/** An approval does not count. */
export class ApprovalRefused extends CodedRefusal<typeof APPROVAL_REFUSALS> {
  override name = 'ApprovalRefused'

  constructor(refusal: RefusalOf<typeof APPROVAL_REFUSALS>, options?: ErrorOptions) {
    super(APPROVAL_REFUSALS, refusal, options)
  }
}

/** The words a policy adds to a rendering. */
export function approvalContext(policy: Policy): RenderContext {
  return {
    asset: (chain, contract) => policy.assets.find((each) => each.chain === chain && each.contract === contract),
    tellsFinds: countsTokens(policy),
    isUnlimited: (chain, grant) => isUnlimitedGrant(policy, chain, grant),
    trade: (call) => (venueForm(policy, call.chain, call.contract) === undefined ? undefined : (readVenueTrade(policy, call) ?? 'unreadable')),
    coin: (chain) => policy.assets.find((each) => each.chain === chain && each.contract === null),
    personName: (id) => findSpeaker(policy, id)?.name,
    policyLines: (bytes, locale, asked) => describePolicy(readPolicy(bytes), locale, asked),
    recipientFingerprint,
  }
}

/** What approvals of an order bind: its hash, and the words over which one in a language counts, each with its hash. */
type BoundByApprovals = { readonly intentHash: Uint8Array; words(locale: Locale): Iterable<Told> }
type Told = { rendering: Rendering; hash: Uint8Array }

/**
 * What approvals of `intent` under `policy` bind. The words are put together when they are first asked for, and once for all approvals: a version of the policy
 * has hundreds of lines, and an organisation hundreds of versions. Where only what happened is proven and nothing signed any more, `allowsEarlierWords` takes
 * words of earlier versions of this product that said less.
 */
export function boundByApprovals(intent: Intent, policy: Policy, { allowsEarlierWords = false } = {}): BoundByApprovals {
  const context = approvalContext(policy)
  function* inLocale(locale: Locale): Generator<Told, void> {
    for (const words of [wordings, ...(allowsEarlierWords ? [earlierRenderings] : [])]) {
      for (const rendering of words(intent, context, locale)) yield { rendering, hash: renderHash(rendering) }
    }
  }
  const byLocale = new Map(LOCALES.map((locale) => [locale, { told: [] as Told[], rest: inLocale(locale) }]))
  let hash: Uint8Array | undefined
  return {
    get intentHash() {
      return (hash ??= intentHash(intent))
    },
    *words(locale) {
      const { told, rest } = known(byLocale.get(locale), `the words in ${locale}`)
      for (let i = 0; ; i++) {
        const next = told[i] ?? rest.next().value
        if (!next) return
        told[i] = next
        yield next
      }
    },
  }
}

/**
 * Checks one approval of `intent` under `policy`: right intent, policy and rendering, a person and a credential of this
 * policy version, and a valid assertion. Returns the person. Throws ApprovalRefused. `directory` names people and keys:
 * it differs from `policy`, the version in force, only for people whom a policy change brings in. A word for another person (ADR 53) must besides be one that its
 * statement gives, when it was signed and at `atMs`, the clock of whoever decides.
 */
export function checkApproval(
  approval: Vote,
  intent: Intent,
  policy: Policy,
  directory: Policy = policy,
  { bound = boundByApprovals(intent, policy), atMs }: { bound?: BoundByApprovals; atMs?: number | undefined } = {},
): Person {
  if (!equalBytes(approval.genesis, intent.genesis)) throw new ApprovalRefused({ code: 'approval-other-organisation' })
  if (!equalBytes(approval.intentHash, bound.intentHash)) throw new ApprovalRefused({ code: 'approval-other-order' })
  if (!equalBytes(approval.policyHash, policyHash(policy))) throw new ApprovalRefused({ code: 'approval-other-policy' })
  if (approval.decision !== 'approve' && approval.decision !== 'reject')
    throw new ApprovalRefused({ code: 'approval-unknown-decision', given: { decision: approval.decision } })
  if (!LOCALES.includes(approval.locale as Locale)) throw new ApprovalRefused({ code: 'approval-unknown-language', given: { language: approval.locale } })
  if (movesMoney(intent) && !describesPinnedAssets(judgedAs(intent), policy)) throw new ApprovalRefused({ code: 'approval-other-asset' })
  const delegation = delegationOf(approval)
  const seat = delegation && checkSeat(approval, delegation, intent, policy, atMs)
  if (!isShown(approval, bound.words(approval.locale as Locale), seat)) throw new ApprovalRefused({ code: 'approval-other-words' })
  if (approval.signedAtMs < intent.notBeforeMs || approval.signedAtMs > intent.expiresAtMs) throw new ApprovalRefused({ code: 'approval-out-of-time' })
  const person = findPerson(directory, approval.person)
  if (!person) throw new ApprovalRefused({ code: 'approval-by-stranger' })
  const credential = person.credentials.find((each) => equalBytes(each.id, approval.assertion.credentialId))
  if (!credential) throw new ApprovalRefused({ code: 'approval-strange-key', given: { name: person.name } })
  try {
    verifyAssertion({ assertion: approval.assertion, credential, challenge: voteChallenge(approval), origins: directory.origins })
  } catch (cause) {
    if (cause instanceof AssertionRefused) throw new ApprovalRefused(cause.refusal, { cause })
    throw cause
  }
  return person
}

/** Whether these are among the words that an approval is over; whoever decides for `seat` read them with that before. */
function isShown({ renderHash: shown }: Vote, words: Iterable<Told>, seat: Person | undefined): boolean {
  for (const { rendering, hash } of words) if (equalBytes(shown, seat ? renderHash(renderFor(rendering, seat.name)) : hash)) return true
  return false
}

/** Checks that a word may be given for whoever signed its statement, in this order and at this time. Returns that person. Throws ApprovalRefused. */
function checkSeat({ person, signedAtMs }: Vote, delegation: Delegation, intent: Intent, policy: Policy, atMs: number | undefined): Person {
  if (!movesMoney(intent)) throw new ApprovalRefused({ code: 'delegated-other-order' })
  const { delegator, delegate } = delegationParties(delegation, policy, intent)
  if (!equalBytes(delegate.id, person)) throw new ApprovalRefused({ code: 'delegated-by-another' })
  const askers = askersOf(intent)
  if (isAmong(askers, delegator.id) || isAmong(askers, delegate.id)) throw new ApprovalRefused({ code: 'delegated-by-asker' })
  if (!isInForce(delegation, signedAtMs)) throw new ApprovalRefused({ code: 'delegated-out-of-time' })
  if (atMs !== undefined && !isInForce(delegation, BigInt(atMs))) throw new ApprovalRefused({ code: 'delegated-expired' })
  return delegator
}

function delegationParties(delegation: Delegation, policy: Policy, { genesis }: Intent): { delegator: Person; delegate: Person } {
  try {
    return checkDelegation(delegation, policy, genesis)
  } catch (cause) {
    if (cause instanceof DelegationRefused) throw new ApprovalRefused(cause.refusal, { cause })
    throw cause
  }
}
