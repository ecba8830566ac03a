import type { PlantedFault } from './planted-faults.ts'

const CLUSTER = 'apps/signer/src/together.test.ts'
const JOURNAL = 'apps/signer/src/state/book-journal.test.ts'

/** Faults around the whitelist that signers keep: what comes onto it without people, out of its order, or too early. */
export const bookFaults: PlantedFault[] = [
  {
    file: 'packages/policy/src/book.ts',
    original: 'version === book.version + 1n && equalBytes(previous, book.hash)',
    replacement: 'version === book.version + 1n',
    claimedBy: JOURNAL,
    why: 'two orders of the same number are both followed, each by other signers, and nobody notices that their lists differ',
  },
  {
    file: 'packages/policy/src/book.ts',
    original: 'nowMs >= usableAtMs && nowMs >= sinceMs',
    replacement: 'nowMs >= sinceMs',
    claimedBy: JOURNAL,
    why: 'an address is paid the moment it is on the list: whoever notices it has no time to take it off',
  },
  {
    file: 'packages/policy/src/book.ts',
    original: 'for (const place of placesOf(entry)) book.places.delete(place)',
    replacement: '',
    claimedBy: JOURNAL,
    why: 'what was taken off keeps its place, and its address can never be listed again',
  },
  {
    file: 'packages/policy/src/book.ts',
    original: 'if (known.address !== change.address || known.name !== change.name)',
    replacement: 'if (known.name !== change.name)',
    claimedBy: CLUSTER,
    test: 'does not leave out, repeat or replace a version',
    why: 'people approve that one address is taken off and another one is',
  },
  {
    file: 'apps/signer/src/checks/book-order.ts',
    original: "if (standing === 'followed') return",
    replacement: 'return',
    claimedBy: CLUSTER,
    test: 'does not leave out, repeat or replace a version',
    why: 'a server leaves out the order that takes an address off, and has the next one followed',
  },
  {
    file: 'apps/signer/src/checks/book-order.ts',
    original: "if (!tally.met) throw new Refused('c5'",
    replacement: "if (false as boolean) throw new Refused('c5'",
    claimedBy: CLUSTER,
    test: 'is followed by nobody without the quorum of those who govern, by the one who asked, by a stranger, unlogged, or with a word that is missing',
    why: 'an order that is over is followed without the people who had to approve it',
  },
  {
    file: 'apps/signer/src/checks/book-order.ts',
    original: 'if (isLate(intent, view) && !view.register.book.orders.has(toHex(intentHash(intent))))',
    replacement: 'if (false as boolean)',
    claimedBy: CLUSTER,
    test: 'that took the place of another follows it from the first, under the versions of the policy that approved it',
    why: 'what was approved under a policy that is over, and never followed, comes onto the list later',
  },
  {
    file: 'apps/signer/src/state/endorsements.ts',
    original: 'if (isLate(intent, { register, nowMs }) && !isFresh)',
    replacement: 'if (false as boolean)',
    claimedBy: CLUSTER,
    test: 'does not follow an order that is over and that nobody followed in its time, whoever approved it',
    why: 'a server keeps an approved order back until nobody thinks of it any more',
  },
  {
    file: 'apps/signer/src/checks/book-order.ts',
    original: '  checkNotFrozen(register)\n',
    replacement: '',
    claimedBy: CLUSTER,
    test: 'that somebody rejected at one page is followed by nobody; while signing is stopped addresses are only taken off',
    why: 'while everything is stopped because keys were stolen, their thief puts an address on the list',
  },
  {
    file: 'apps/signer/src/checks/book-order.ts',
    original: 'if (codec.canonicalAddress(change.address) !== change.address)',
    replacement: 'if (codec.canonicalAddress(change.address) === undefined)',
    claimedBy: CLUSTER,
    test: 'does not leave out, repeat or replace a version',
    why: 'an address is on the list in a spelling that no transaction has, and another entry of the same address beside it',
  },
]
