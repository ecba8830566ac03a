import type { PlantedFault } from '../planted-faults.ts'

const reminder = { file: 'features/proposal/server/remind-approvers.ts', claimedBy: 'features/proposal/server/approve.test.ts' }
const code = { file: 'features/proposal/server/qr-code.ts', claimedBy: 'features/proposal/server/qr-code.test.ts' }
const away = { claimedBy: 'features/proposal/server/read-absent.test.ts' }
const DELAY_AND_PASS = 'features/transfer/server/delay-and-pass.test.ts'

/** Faults around what waits for people: reminders, codes that open it elsewhere, rules that wait or want the asker's signature, and limits from the founding on. */
export const waitingFaults: PlantedFault[] = [
  {
    ...reminder,
    original: 'if (againMs > 0) throw',
    replacement: 'if (againMs > HOUR_MS) throw',
    test: 'lets the requester remind the others, once an hour, and tells them so',
    why: 'one press after the other sends everybody the same reminder again',
  },
  {
    ...reminder,
    original: 'named.filter(({ spoken_at }) => spoken_at === null)',
    replacement: '[...named]',
    test: 'lets the requester remind the others, once an hour, and tells them so',
    why: 'who has decided is reminded to decide',
  },
  {
    ...away,
    file: 'features/proposal/server/remind-approvers.ts',
    original: 'const personIds = asked.map(',
    replacement: 'const personIds = waiting.map(',
    test: 'leaves them out and says so',
    why: 'who is on holiday is written to once an hour',
  },
  {
    ...away,
    file: 'features/proposal/server/read-absent.ts',
    original: "spoken_at === null && each.state === 'active' && !isAway(each.person_id)",
    replacement: "spoken_at === null && each.state === 'active'",
    test: 'says who of those it still needs is away',
    why: 'people wait for an approval that nobody who is there can complete, and are told that it can be',
  },
  {
    file: 'features/team/server/absence-gaps.ts',
    original: 'each.toMs >= gap.toMs &&',
    replacement: 'each.toMs >= gap.fromMs &&',
    claimedBy: 'features/team/server/absence-gaps.test.ts',
    test: 'who says that they are away is told what breaks by it',
    why: 'who prolongs a time in which nothing can be approved is not told so',
  },
  {
    ...code,
    original: 'qr_content: approvalUrl({ settings }, hash),',
    replacement: 'qr_content: `${approvalUrl({ settings }, hash)}/${personId}`,',
    test: 'carries the hash of the item and nothing else',
    why: 'whoever sees the screen learns from the code for whom it was made',
  },
  {
    ...code,
    original: '.doUpdateSet(code)',
    replacement: '.doNothing()',
    test: 'is its maker’s own, and gives way to the next one',
    why: 'a code that was used or photographed stays good, and the new one is none',
  },
  {
    file: 'features/transfer/server/signing/wait-out-delay.ts',
    original: 'told.filter(({ isSignable }) => isSignable).length >= SIGNING',
    replacement: 'told.length >= SIGNING',
    claimedBy: DELAY_AND_PASS,
    test: 'is not signed before the signers say so, and makes no bytes until then',
    why: 'a server takes the wait of a rule for over once the signers have heard of the approvals, and asks them to sign what they refuse',
  },
  {
    file: 'apps/signer/src/checks/delay.ts',
    original: 'const signableAtMs = BigInt(atMs) + delayMs',
    replacement: 'const signableAtMs = BigInt(atMs) + delayMs / 2n',
    claimedBy: 'apps/signer/src/checks/delay.test.ts',
    why: 'whoever could stop an order has half of the time that was signed',
  },
  {
    file: 'packages/policy/src/rules/read-rule.ts',
    original: 'steps: [{ need: 1, eligible: common.askers, isAskers: true }, ...looks]',
    replacement: 'steps: [{ need: 0, eligible: common.askers, isAskers: true }, ...looks]',
    claimedBy: 'apps/signer/src/checks/verify-destinations.test.ts',
    test: 'wants that signature, and no other in its place',
    why: 'a rule that passes payments passes them without the signature of the person who asks: whoever has the server pays every listed address',
  },
  {
    file: 'features/setup/server/founding-template.ts',
    original: 'looseningDelayMs: LOOSENING_DELAY_MS',
    replacement: 'looseningDelayMs: 0n',
    claimedBy: 'features/setup/server/founding-template.test.ts',
    test: 'are loosened a day after that was approved, and tightened at once',
    why: 'whoever has a quorum for a minute takes the limits away that an organisation was founded with',
  },
  {
    file: 'features/withdrawal/server/foresee-policy.ts',
    original: 'if (input.address_to === undefined) {',
    replacement: 'if (input.address_to !== null) {',
    claimedBy: 'features/withdrawal/server/foresee-policy.test.ts',
    test: 'is by the rule that decides where it goes',
    why: 'somebody is told that their signature is enough where others have to approve',
  },
]
