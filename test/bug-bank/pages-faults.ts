import type { PlantedFault } from './planted-faults.ts'

/** Faults in the console's page and what it says, in the names of things, and in the lists that pages stand on. */
export const pagesFaults: PlantedFault[] = [
  {
    file: 'packages/http/src/security-headers.ts',
    original: `"require-trusted-types-for 'script'"`,
    replacement: `"upgrade-insecure-requests"`,
    claimedBy: 'packages/http/src/create-http-server.test.ts',
    test: 'every answer carries the security headers',
    why: 'a text that somebody typed becomes markup in the console, with the session of whoever reads it',
  },
  {
    file: 'packages/http/src/security-headers.ts',
    original: 'const map = IMPORT_MAP.exec(new TextDecoder().decode(html))?.[1]',
    replacement: 'const map = undefined',
    claimedBy: 'packages/http/src/create-http-server.test.ts',
    test: 'the page may run its own scripts',
    why: 'browsers refuse the map of hashes, and run whatever script stands at the path',
  },
  {
    file: 'packages/http/src/serve-reports.ts',
    original: 'if (network.take(from) > 0 || all.take',
    replacement: 'if (all.take',
    claimedBy: 'packages/http/src/serve-reports.test.ts',
    test: 'whoever sends many reports',
    why: 'one stranger uses up what all browsers may report, and an attack on a member is in no log',
  },
  {
    file: 'apps/console/pin-page.ts',
    original: "filter(([path]) => path.endsWith('.js'))",
    replacement: "filter(([path]) => path.includes('/index-'))",
    claimedBy: 'apps/console/pin-page.test.ts',
    test: 'every script and style of the page',
    why: 'a script that is fetched later can be another than the one that was built',
  },
  {
    file: 'packages/contract/src/name-skeleton.ts',
    original: "return plain === CAPITAL_I && asTyped ? 'l' : plain",
    replacement: "return letter === CAPITAL_I && asTyped ? 'l' : plain",
    claimedBy: 'packages/contract/src/name-skeleton.test.ts',
    test: 'a name that is drawn as another one',
    why: 'a name with a Cyrillic capital I is read as one with an l',
  },
  {
    file: 'features/wallet/server/refuse-name.ts',
    original: "await lockNames(tx, 'wallet')",
    replacement: '',
    claimedBy: 'features/wallet/server/make-key.test.ts',
    test: 'gets no name that looks like one given at the same moment',
    why: 'two wallets that cannot be told apart are opened at the same moment, and money is sent from the wrong one',
  },
  {
    file: 'features/wallet/server/update-alias.ts',
    original: "if (alias !== '') await refuseNameOfWallet(tx, alias, walletId)",
    replacement: '',
    claimedBy: 'features/wallet/server/make-key.test.ts',
    test: 'has a name that no other is taken for',
    why: 'a second name makes one wallet look like another',
  },
  {
    file: 'features/team/server/invite-member.ts',
    original: "await lockNames(organisation, 'person')",
    replacement: '',
    claimedBy: 'features/team/server/team.test.ts',
    test: 'nobody is invited under a name that looks like another',
    why: 'two people whom approvers cannot tell apart stand in the organisation',
  },
]
