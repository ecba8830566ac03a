import type { PlantedFault } from './planted-faults.ts'

const SEARCH = 'apps/signer/src/knowledge.test.ts'
const CLUSTER = 'apps/signer/src/together.test.ts'
const SEARCHES = 'pay no order twice, pass no window and sign nothing that was rejected'

/** Faults around what signers know together (docs/adr/0012): words that serve twice, are left out, or are not listened to. */
export const knowledgeFaults: PlantedFault[] = [
  {
    file: 'apps/signer/src/words.ts',
    original: '|| !equalBytes(word.session, session))',
    replacement: ')',
    claimedBy: SEARCH,
    test: SEARCHES,
    why: 'a word from before serves again: it knows nothing of what its signer has opened since, and a window is passed',
  },
  {
    file: 'apps/signer/src/verify-reservation.ts',
    original: 'for (const { spends } of words)',
    replacement: 'for (const { spends } of words.slice(0, 0))',
    claimedBy: SEARCH,
    test: SEARCHES,
    why: 'each signer counts alone, and three pairs let one and a half windows through',
  },
  {
    file: 'apps/signer/src/words.ts',
    original: 'if (words.has(party) || (party === third && away?.party === third)) continue',
    replacement: 'if (words.has(party) || party === third) continue',
    claimedBy: SEARCH,
    test: SEARCHES,
    why: 'the server leaves out whom it likes, and nobody has said that it is away',
  },
  {
    file: 'apps/signer/src/words.ts',
    original: 'if (!known && findPerson(policy, person)) learnt.set(',
    replacement: 'if (known && findPerson(policy, person)) learnt.set(',
    claimedBy: SEARCH,
    test: SEARCHES,
    why: 'a rejection at the page of the signer that takes no part is heard by nobody',
  },
  {
    file: 'apps/signer/src/words.ts',
    original: 'for (const join of joins) checkOwnState(standing, Number(join.party), join.seen)',
    replacement: '',
    claimedBy: CLUSTER,
    test: 'are not given by a signer that has forgotten',
    why: 'a signer whose folder was put back says that it knows of no rejection, and is believed',
  },
  {
    file: 'apps/signer/src/words.ts',
    original: 'for (const { party, binding } of words) if (binding)',
    replacement: 'for (const { party, binding } of words.slice(0, 0)) if (binding)',
    claimedBy: SEARCH,
    test: SEARCHES,
    why: 'an order that a lost session may have signed is signed once more in another slot',
  },
  {
    file: 'apps/signer/src/endorsements.ts',
    original: 'if (!words.some((signed) => isEndorsed(organisation, intent, signed, { signKey, nowMs }))) {',
    replacement: 'if (words.length === 0) {',
    claimedBy: CLUSTER,
    test: 'goes forward only with the word of all',
    why: 'any bytes count as the word of another signer, and a withheld rejection is lost',
  },
  {
    file: 'apps/signer/src/verify-signer-order.ts',
    original: 'if (register.absences.has(toHex(hash)) && !(away && equalBytes(away.intentHash, hash))) {',
    replacement: 'if (false) {',
    claimedBy: CLUSTER,
    test: 'once for each order',
    why: 'an absence that ended is renewed by the server, as often as it likes',
  },
  {
    file: 'apps/signer/src/freeze.ts',
    original: 'checkFreeze(given, policy, fingerprint)',
    replacement: '',
    claimedBy: CLUSTER,
    test: 'counts only where somebody who approves or governs has signed it',
    why: 'a server stops an organisation in the name of anybody',
  },
  {
    file: 'apps/signer/src/register.ts',
    original: 'if (received) register.beganAnewAtMs = before ? atMs : ',
    replacement: 'if (received && !before) register.beganAnewAtMs = ',
    claimedBy: 'apps/signer/src/key-life.test.ts',
    test: 'is a new beginning also for a signer whose folder was put back',
    why: 'a signer whose folder was put back is repaired and trusts its memory: while who knows better is away it pays an order twice',
  },
  {
    file: 'apps/signer/src/register.ts',
    original: '= isCancel && spent ? spent : ',
    replacement: '= ',
    claimedBy: 'apps/signer/src/verify-replacement.test.ts',
    test: 'leaves what is cancelled in the window',
    why: 'a call that is cancelled under a rule of the first form leaves the window of its own, though the server can still send it: the window is passed',
  },
]
