import type { PlantedFault } from '../planted-faults.ts'

const SIGNERS = 'apps/signer/src/loosening.test.ts'
const TOUCHED = 'packages/policy/src/change/touched-parts.test.ts'
const LOOSENS = 'packages/policy/src/change/loosens.test.ts'

/**
 * Faults around parts of the workspace and changes that loosen the policy (docs/adr/0029): a quorum that decides too much, a wait that is none, a no that
 * nobody hears.
 */
export const partsFaults: PlantedFault[] = [
  {
    file: 'packages/policy/src/change/touched-parts.ts',
    original: ' || bindsOthers(before, after)',
    replacement: '',
    claimedBy: TOUCHED,
    test: 'each part is what it is, and what binds those who decide over the policy is for those who govern',
    why: 'whoever approves changes of members gives those who govern keys of their own, and governs',
  },
  {
    file: 'packages/policy/src/change/touched-parts.ts',
    original: "  machines: 'machines',",
    replacement: '  machines: null,',
    claimedBy: TOUCHED,
    test: 'every single difference between two versions touches something, but for what every version says anew',
    why: 'a machine comes into the policy with a change of anything else, and nobody is asked for it',
  },
  {
    file: 'packages/policy/src/change/touched-parts.ts',
    original: ' && life(next) <= life(current)',
    replacement: '',
    claimedBy: TOUCHED,
    test: 'each part is what it is, and what binds those who decide over the policy is for those who govern',
    why: 'the people of any part make the policy last for ever',
  },
  {
    file: 'packages/policy/src/change/change-quorums.ts',
    original: 'claimed.length === touched.length && touched.length > 0',
    replacement: 'claimed.length > 0',
    claimedBy: SIGNERS,
    test: 'is followed by nobody where it touches anything else, is signed by others, or names a part of its own',
    why: 'the quorum of one part changes with it whatever else it likes',
  },
  {
    file: 'packages/policy/src/change/change-quorums.ts',
    original: 'rulesLoosen(current, next) ? without(people, askersOfChanged(current, next)) : people',
    replacement: 'people',
    claimedBy: SIGNERS,
    test: 'does not loosen a rule by the word of those alone whom it binds',
    why: 'those who ask under a rule take its limit away themselves',
  },
  {
    file: 'packages/policy/src/policy-change.ts',
    original: 'hasThirdForm(current) && next.issuedAtMs > intent.notBeforeMs + BEGINS_WITHIN_MS',
    replacement: 'next.version < 0n',
    claimedBy: SIGNERS,
    test: 'is followed by nobody where it touches anything else, is signed by others, or names a part of its own',
    why: 'a version that says it begins in a thousand years lasts as long',
  },
  {
    file: 'packages/policy/src/change/loosened-rules.ts',
    original: "    return theirs.kind === 'refuse' || ",
    replacement: "    return theirs.kind !== 'refuse' || ",
    claimedBy: LOOSENS,
    test: 'whatever a change that does not loosen lets through was let through before, with the same people',
    why: 'a rule is taken away, a laxer one decides in its place, and the signers follow that at once',
  },
  {
    file: 'packages/policy/src/change/strictness.ts',
    original: 'step.need >= first.need && ',
    replacement: '',
    claimedBy: LOOSENS,
    test: 'what lets more through, or what cannot be compared, waits',
    why: 'a rule that asks for one person in place of two comes into force at once',
  },
  {
    file: 'apps/signer/src/calls/endorse.ts',
    original: '    checkWaited(signer, await hearPolicyChange(signer, organisation, change))\n',
    replacement: '',
    claimedBy: SIGNERS,
    test: 'waits at every signer by its own clock, from when it was first brought there, and orders go on meanwhile',
    why: 'a signer says at once that it would follow what loosens the policy, and all follow',
  },
  {
    file: 'apps/signer/src/calls/follow-policy.ts',
    original: '  if (known !== undefined) return known\n',
    replacement: '',
    claimedBy: SIGNERS,
    test: 'waits at every signer by its own clock, from when it was first brought there, and orders go on meanwhile',
    why: 'whoever brings a change again and again keeps it from ever being followed',
  },
  {
    file: 'apps/signer/src/calls/follow-policy.ts',
    original: 'Math.max(Math.floor(signer.options.ports.clock.nowMs()), register.latestMs)',
    replacement: 'Math.floor(signer.options.ports.clock.nowMs())',
    claimedBy: SIGNERS,
    test: 'is made no earlier by a clock that is put back, before it is heard of or after',
    why: 'a clock is put back for a moment, and the wait is over before anybody has read of it',
  },
  {
    file: 'apps/signer/src/calls/follow-policy.ts',
    original: ', ...ofQuorums]',
    replacement: ']',
    claimedBy: SIGNERS,
    test: 'is stopped while it waits by the no of one who',
    why: 'who approves changes of a part says no, and the change is followed',
  },
  {
    file: 'apps/signer/src/checks/voted.ts',
    original: '  if (!register.loosenings.has(toHex(change))) return []',
    replacement: '  if (register.loosenings.has(toHex(change))) return []',
    claimedBy: SIGNERS,
    test: 'is stopped while it waits by the no of one who',
    why: 'the signer at whose page somebody said no is said to be away, and the others follow',
  },
  {
    file: 'apps/signer/src/checks/voted.ts',
    original: 'return isOfGovernors && waitOfChange(policy, next) === 0n',
    replacement: 'return isOfGovernors',
    claimedBy: SIGNERS,
    test: 'stops no order where those who govern have approved it at pages',
    why: 'nothing is signed for as long as a change waits',
  },
  {
    file: 'packages/policy/src/change/loosens.ts',
    original: '    listingCoolingMs(after) < listingCoolingMs(before) ||\n',
    replacement: '',
    claimedBy: LOOSENS,
    test: 'what lets more through, or what cannot be compared, waits',
    why: 'addresses of the whitelist wait no more as soon as it is approved, and nobody has a day to stop it',
  },
  {
    file: 'packages/policy/src/change/touched-parts.ts',
    original: "  if (listingCoolingMs(before) !== listingCoolingMs(after)) touched.add('governance')\n",
    replacement: '',
    claimedBy: TOUCHED,
    test: 'how long addresses of the whitelist wait is for those who govern, whoever decides over the whitelist',
    why: 'the time comes into the policy with a change of anything else, and nobody is asked for it',
  },
  {
    file: 'apps/signer/src/checks/book-order.ts',
    original: 'return Math.max(...[policy, ...approvedUnder].map(listingCoolingMs))',
    replacement: 'return Math.min(...[policy, ...approvedUnder].map(listingCoolingMs))',
    claimedBy: SIGNERS,
    test: 'of an order that a signer follows late is the longer one of when it was approved and of now',
    why: 'an order is kept back until the time is shorter, and its address counts sooner than those who approved it were told',
  },
]
