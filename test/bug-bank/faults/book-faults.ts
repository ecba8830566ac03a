import type { PlantedFault } from '../planted-faults.ts'

const CLUSTER = 'apps/signer/src/together.test.ts'
const BOOK = 'features/address-book/server/book/book.test.ts'
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
    original: 'if (isLate(intent, view) && !isFollowed(intent, view.register))',
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
  {
    file: 'features/address-book/server/book/book-rows.ts',
    original: "      when off_order.state = 'followed' then 'disabled'\n",
    replacement: '',
    claimedBy: BOOK,
    test: 'is on the whitelist once people approved it and its waiting period is over, and off as soon as they say so',
    why: 'the console goes on calling an address listed that the signers have taken off',
  },
  {
    file: 'features/address-book/server/book/verify-entry.ts',
    original: "if (row.created_by === personId) throw refused('self')",
    replacement: '',
    claimedBy: BOOK,
    test: 'counts a signature of the address’s own key over its own message, and nothing else',
    why: 'whoever planted an address says themselves that its owner was called',
  },
  {
    file: 'features/address-book/server/book/book-routes.ts',
    original: "if (listed.length > 0 && propose === '0') throw new AppError(addressBookErrors.whitelist_deletion)",
    replacement: '',
    claimedBy: BOOK,
    test: 'of the whitelist leaves it by an order only, and the book with it',
    why: 'who wants to tidy up asks those who govern to take an address off the whitelist without knowing it',
  },
  {
    file: 'packages/chains/evm/codec/signed-message.ts',
    original: '\\u0019Ethereum Signed Message:\\n${text.length}',
    replacement: '\\u0019Ethereum Signed Message:\\n',
    claimedBy: 'packages/chains/evm/codec/signed-message.test.ts',
    why: 'what wallets sign is not what is verified: no owner of an address can prove it',
  },
]
