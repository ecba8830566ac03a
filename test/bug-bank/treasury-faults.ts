import type { PlantedFault } from './planted-faults.ts'

const KEYS = 'features/key/server/make-key.test.ts'
const RECOVERY = 'features/key/server/recovery-state.test.ts'

/** Faults around a wallet with several keys (docs/adr/0025): which key is meant, and when it is open. */
export const treasuryFaults: PlantedFault[] = [
  {
    file: 'features/key/server/added-keys.ts',
    original: '!present.includes(protocol) && isOfUse(protocol) && isHarmless(protocol)',
    replacement: '!present.includes(protocol) && isOfUse(protocol)',
    claimedBy: 'features/key/server/add-key.test.ts',
    test: 'never changes which key signs on a network there is',
    why: 'a key that is added takes a network from the key whose addresses hold the money there',
  },
  {
    file: 'features/key/server/make-key.ts',
    original: 'if (!key.isAdded)',
    replacement: 'if (key.walletId)',
    claimedBy: 'features/key/server/add-key.test.ts',
    test: 'fails alone where it cannot be made',
    why: 'a key that cannot be added fails the wallet, and nothing can be paid from it any more',
  },
  {
    file: 'features/wallet/server/closed-networks.ts',
    original: 'isOpen ? [] : [name]',
    replacement: '[name]',
    claimedBy: 'features/wallet/server/closed-networks.test.ts',
    test: 'and on no other',
    why: 'people are told that deposits are closed on networks where they are open',
  },
  {
    file: 'features/key/server/write-kit.ts',
    original: "  if ((await readWalletKeys(tx, walletId)).some(({ keyState }) => keyState !== 'ready')) return\n",
    replacement: '',
    claimedBy: KEYS,
    test: 'can have a key of each of several kinds',
    why: 'a wallet is open with its first key, and no server makes the others any more: its networks never get an address',
  },
  {
    file: 'features/key/server/write-kit.ts',
    original: 'rows.filter(({ chain }) => signsOn(key, chain))',
    replacement: 'rows',
    claimedBy: KEYS,
    test: 'can have a key of each of several kinds',
    why: 'a kit names addresses of another key, the tool finds that they are not its own, and no drill is possible',
  },
  {
    file: 'features/key/server/recovery-state.ts',
    original: 'return keys.find((key) => key.protocol === protocol) ?? CLOSED',
    replacement: 'return keys[0] ?? CLOSED',
    claimedBy: RECOVERY,
    test: 'is on a network that of the key which signs there',
    why: 'an address is given out whose key nobody has shown to be recoverable',
  },
  {
    file: 'features/key/server/recovery-state.ts',
    original: 'depositsOpen: a.depositsOpen && b.depositsOpen,',
    replacement: 'depositsOpen: a.depositsOpen || b.depositsOpen,',
    claimedBy: RECOVERY,
    test: 'is as a whole no better than that of any key in use',
    why: 'a wallet is shown as open while one of its keys was never recovered',
  },
  {
    file: 'features/network/server/networks-of-wallet.ts',
    original: 'PROTOCOLS.find((each) => protocols.includes(each) && taken',
    replacement: 'protocols.find((each) => taken',
    claimedBy: 'features/network/server/networks-of-wallet.test.ts',
    test: 'the same in whatever order they are told',
    why: 'which key a Bitcoin address is of changes with the order of rows: it is looked for with the wrong key when it is to be paid from',
  },
  {
    file: 'packages/protocol/src/recovery-kit.ts',
    original: 'digest(walletKitShape, { kits: [...kits] })',
    replacement: 'kitHash(at(kits, 0))',
    claimedBy: 'packages/protocol/src/recovery-kit.test.ts',
    test: 'is known by another hash for any other kits in it',
    why: 'a file whose second kit was exchanged has the fingerprint that was written down',
  },
  {
    file: 'apps/cli/src/sweep/recover-sweep.ts',
    original: 'kits.find(({ protocol }) => familiesOf(protocol).some((family) => family === networkOf(plan.chain)?.family))',
    replacement: 'kits.find(({ protocol }) => familiesOf(protocol).length > 0)',
    claimedBy: 'apps/cli/src/sweep/sweep-ton.test.ts',
    test: 'moves the jetton and the TON',
    why: 'of a treasury only what is on the networks of its first key can be moved when the product is gone',
  },
  {
    file: 'features/wallet/server/archive-wallet.ts',
    original: 'if (held.length > 0) throw',
    replacement: 'if (held.length > 99) throw',
    claimedBy: 'features/wallet/server/archive-wallet.test.ts',
    test: 'is never put away',
    why: 'money is out of sight of everybody who counts it',
  },
]
