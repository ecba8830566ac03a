import type { PlantedFault } from './planted-faults.ts'

/** Faults in what people are told before they order, in forms that they fill in, and in what the console lets them look into. */
export const consoleFaults: PlantedFault[] = [
  {
    file: 'features/transaction/moment-of.ts',
    original: 'return status < UNPAID && !call && !stake && lifts === undefined ? ',
    replacement: 'return status ? ',
    claimedBy: 'features/transaction/server/lists.test.ts',
    test: 'says of which moment a price is',
    why: 'a receipt says when something was paid that paid nobody',
  },
  {
    file: 'features/network/server/block-readings.ts',
    original: 'asked.toHeight ?? (isRead(most) ? most : (cursor?.height ?? 0n))',
    replacement: 'asked.toHeight ?? most',
    claimedBy: 'features/deposit/server/reading/read-again.test.ts',
    test: 'go to the last that was read',
    why: 'a person who does not know how far cannot have blocks read again, and a payment that was left out stays uncredited',
  },
  {
    file: 'features/network/server/token-signs.ts',
    original: 'told.flatMap((each) => each.functions',
    replacement: 'told.slice(0, 1).flatMap((each) => each.functions',
    claimedBy: 'features/deposit/server/reading/read-again.test.ts',
    test: 'is looked at by every source',
    why: 'the first source alone decides whether people are warned of a token that keeps a fee',
  },
  {
    file: 'packages/chains/evm/node/token-signs.ts',
    original: 'after - before !== change',
    replacement: 'after < before',
    claimedBy: 'packages/chains/evm/node/evm-node.test.ts',
    test: 'are its functions, and holders whose balance changed',
    why: 'a token that logs more than it moves is taken in without a warning',
  },
  {
    file: 'features/deposit-address/server/routes.ts',
    original: 'await network?.node.isUninitialised?.(address)',
    replacement: 'await network?.node.isContract(address)',
    claimedBy: 'features/transfer/server/ton-chain.test.ts',
    test: 'says that coin sent bounceable comes back',
    why: 'nobody is told that coin bounces while the wallet is not made, and everybody is once it is',
  },
  {
    file: 'features/withdrawal/console/read-recipients.ts',
    original: 'deadAddress(chain, address) !== undefined',
    replacement: 'deadAddress(chain, address_to) !== undefined',
    claimedBy: 'features/withdrawal/console/read-recipients.test.ts',
    test: 'are named once each, in capitals or not',
    why: 'a burn address in capital letters passes the form of a payment to several',
  },
  {
    file: 'features/withdrawal/console/draft.ts',
    original: "warning !== 'first_seen' || check.own === null",
    replacement: "warning !== 'first_seen'",
    claimedBy: 'features/withdrawal/console/draft.test.ts',
    test: 'at the review stands what the approval page will say',
    why: 'the review of a first payment to an address does not say that it is the first',
  },
  {
    file: 'features/session/console/kept-draft.ts',
    original: 'if (kept?.form === form) kept = undefined',
    replacement: 'kept = undefined',
    claimedBy: 'features/session/console/kept-draft.test.ts',
    test: 'a form that is sent or closed',
    why: 'a form that closes behind another takes away what is kept of the one that a person fills in',
  },
]
