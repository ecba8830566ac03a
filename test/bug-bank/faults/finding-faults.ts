import type { PlantedFault } from '../planted-faults.ts'

/** Faults around what people find, what they are told of, and the log as they read it. */
export const findingFaults: PlantedFault[] = [
  {
    file: 'features/search/server/search.ts',
    original: 'searcher.permissions.has(permission) ? find() : Promise.resolve([])',
    replacement: "permission !== '' ? find() : Promise.resolve([])",
    claimedBy: 'features/search/server/search.test.ts',
    test: 'nothing of a kind that the person may not see',
    why: 'the palette tells whoever asks of transactions, addresses and members that their role does not let them see',
  },
  {
    file: 'features/search/server/search-transactions.ts',
    original: 'order by t.created_at desc, t.id desc limit ${NEWEST_REMARKS}',
    replacement: 'order by t.created_at desc, t.id desc',
    claimedBy: 'features/search/server/search.test.ts',
    test: 'no search reads all that an organisation has',
    why: 'each letter typed into the palette reads every order of the organisation',
  },
  {
    file: 'features/inbox/server/routes.ts',
    original: 'Math.min(until, ports.clock.nowMs())',
    replacement: 'until',
    claimedBy: 'features/inbox/server/inbox.test.ts',
    test: 'is read by each person for themselves',
    why: 'a browser whose clock is ahead marks as read what has not happened yet, and its person never hears of it',
  },
  {
    file: 'features/evidence/server/list-log.ts',
    original: 'like ${patternOf(word)}',
    replacement: 'like ${`%${word}%`}',
    claimedBy: 'features/evidence/server/list-log.test.ts',
    test: 'is narrowed by kind, person, time and words',
    why: 'a per cent sign in what is looked for finds every entry of the log',
  },
  {
    file: 'features/approval/server/order-around.ts',
    original: 'wallet: subWalletPath(shown)',
    replacement: "wallet: subWalletPath({ ...shown, sub_wallet_name: 'Main' })",
    claimedBy: 'features/approval/server/order-around.test.ts',
    test: 'by their alias where they have one',
    why: 'an approver reads another name of the wallet that pays than the console shows, and cannot tell which it is',
  },
]
