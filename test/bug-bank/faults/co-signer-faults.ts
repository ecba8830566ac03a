import type { PlantedFault } from '../planted-faults.ts'

const SUITE = 'apps/co-signer/src/co-signer.test.ts'

/** Faults of the program that decides in a step of its own. */
export const coSignerFaults: PlantedFault[] = [
  {
    file: 'apps/co-signer/src/callback/field-form.ts',
    original: "said === 'SUCCESS'",
    replacement: "said.includes('SUCCESS')",
    claimedBy: SUITE,
    test: 'anything but the one word is a no',
    why: 'a page that says that there was no success is taken for a yes',
  },
  {
    file: 'apps/co-signer/src/callback/signed-form.ts',
    original: 'encode(answeredShape, { bodyHash, decision, reason }), key)',
    replacement: 'encode(answeredShape, { bodyHash: new Uint8Array(32), decision, reason }), key)',
    claimedBy: SUITE,
    test: 'the signed form believes the callback alone',
    why: 'an answer is not bound to its question',
  },
  {
    file: 'apps/co-signer/src/checks/verify-order.ts',
    original: "if (against) throw new Refused('approval'",
    replacement: "if (against && !tally.met) throw new Refused('order'",
    claimedBy: SUITE,
    test: 'forged and foreign documents',
    why: 'an order that a person rejected goes on to the callback as if nothing was wrong with its approvals',
  },
  {
    file: 'apps/co-signer/src/co-signer.ts',
    original: 'if (earlier !== undefined && earlier !== toHex(hash)) throw',
    replacement: 'if (earlier !== undefined && earlier === toHex(hash)) throw',
    claimedBy: SUITE,
    test: 'one order has one decision',
    why: 'one order is decided twice, in two forms',
  },
  {
    file: 'apps/co-signer/src/state/journal.ts',
    original: 'if (position > last.position)',
    replacement: 'if (position > last.position + 1)',
    claimedBy: 'apps/co-signer/src/state/journal.test.ts',
    test: 'a journal that lost a record',
    why: 'a folder that lost its newest decision goes on, and decides that order again',
  },
]
