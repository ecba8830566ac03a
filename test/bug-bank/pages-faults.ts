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
]
