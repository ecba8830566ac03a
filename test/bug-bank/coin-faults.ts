import type { PlantedFault } from './planted-faults.ts'

const SIGNER = 'apps/signer/src/verify-bitcoin.test.ts'
const SUITE = 'apps/signer/src/three-signers.test.ts'

/** Faults around coins: where they may go back to, which are spent, what is paid for it, and whose word a token's contract is. */
export const coinFaults: PlantedFault[] = [
  {
    file: 'packages/chains/bitcoin/codec/psbt.ts',
    original: 'const fault = changePath.length > 0 ? faultOfOwnPath(changePath) : undefined',
    replacement: 'const fault: string | undefined = undefined',
    claimedBy: 'packages/chains/bitcoin/codec/bitcoin-codec.test.ts',
    test: 'change that is marked as the paying address and is another',
    why: 'bytes name change at a path that only their maker knows, and the codec reads them',
  },
  {
    file: 'packages/chains/core/src/own-paths.ts',
    original: 'return faultOfOwnPath(path) === undefined && Number(path[0]) === Number(paying[0])',
    replacement: 'return faultOfOwnPath(path) === undefined',
    claimedBy: SIGNER,
    test: 'refuses change at a path that only who made the bytes would know',
    why: 'change of one sub-wallet goes to another, whose coin is not the same people’s',
  },
  {
    file: 'packages/chains/core/src/own-paths.ts',
    original: 'if (!isBelow(address, ADDRESSES_MAX)) return',
    replacement: 'if (!isBelow(address, 2 ** 31)) return',
    claimedBy: 'packages/chains/core/src/own-paths.test.ts',
    why: 'the last index of a path has 31 bits: who made the bytes holds the change for ransom',
  },
  {
    file: 'packages/protocol/src/match-effects.ts',
    original: 'const far = faultOfOwnPath(payment.path)',
    replacement: 'const far: string | undefined = undefined',
    claimedBy: SIGNER,
    test: 'refuses an order of an address that nobody would find again',
    why: 'an address that nobody finds again is paid from, and so taken for one of ours',
  },
  {
    file: 'apps/signer/src/calls.ts',
    original: 'const far = faultOfOwnPath(path)',
    replacement: 'const far: string | undefined = undefined',
    claimedBy: SUITE,
    test: 'all three state of the same path',
    why: 'a deposit address is attested whose path the server alone knows: deposits are its hostages',
  },
  {
    file: 'packages/chains/bitcoin/node/rpc.ts',
    original: "await gate(() => fetchWhole(config, place, url, { method: 'POST', headers, body }))",
    replacement: "await fetchWhole(config, place, url, { method: 'POST', headers, body })",
    claimedBy: 'packages/chains/bitcoin/node/work-queue.test.ts',
    why: 'several readers together ask more than the node takes at once, and fees, payments and coins fail with status 503',
  },
  {
    file: 'packages/chains/bitcoin/node/take-turns.ts',
    original: 'else free++',
    replacement: 'free++',
    claimedBy: 'packages/chains/bitcoin/node/work-queue.test.ts',
    why: 'the limit of questions at once grows with every question that waited',
  },
  {
    file: 'packages/chains/bitcoin/node/prepare-transfer.ts',
    original: 'descendantFees: await readDescendantFees(rpc, waiting) }',
    replacement: 'descendantFees: 0n }',
    claimedBy: 'packages/chains/bitcoin/node/bitcoin-node.test.ts',
    test: 'speeds up and cancels what the payee has spent already',
    why: 'a payee that spends a waiting payment keeps it from being sped up or cancelled for ever',
  },
  {
    file: 'packages/chains/bitcoin/codec/select-coins.ts',
    original: 'wasteOf(order, each) < wasteOf(order, best) ? each : best',
    replacement: 'wasteOf(order, each) < 0n ? each : best',
    claimedBy: 'packages/chains/bitcoin/codec/select-coins.test.ts',
    why: 'many coins are spent at a high rate only because they need no change, for twice the fee',
  },
  {
    file: 'packages/chains/bitcoin/codec/replace-transfer.ts',
    original: 'incrementalSatPerKvb > INCREMENTAL_SAT_PER_KVB ? incrementalSatPerKvb : INCREMENTAL_SAT_PER_KVB',
    replacement: 'incrementalSatPerKvb',
    claimedBy: 'packages/chains/bitcoin/codec/build.test.ts',
    test: 'adds what most nodes ask for',
    why: 'a replacement adds 15 satoshi and reaches no miner',
  },
  {
    file: 'packages/chains/core/src/looks-alike.ts',
    original: "return address.toLowerCase().replace(CONSTANT, '')",
    replacement: "return address.toLowerCase().replace(/^0x/, '')",
    claimedBy: 'packages/chains/core/src/looks-alike.test.ts',
    why: 'what every address of the network begins with counts as alike, and planted ones are told by four characters alone',
  },
  {
    file: 'packages/chains/bitcoin/codec/psbt.ts',
    original: 'const previous = coin.previous ?? first?.previous',
    replacement: 'const previous = coin.previous',
    claimedBy: 'packages/chains/bitcoin/node/prepare-transfer.test.ts',
    test: 'are read as orders of older versions have them',
    why: 'the second coin of a transaction is believed without proof: a lie about it has a huge fee signed in two halves',
  },
  {
    file: 'packages/policy/src/pinned-wallets.ts',
    original: 'if (pinned?.contract === tokenWallets) return undefined',
    replacement: 'if (pinned) return undefined',
    claimedBy: 'apps/signer/src/verify-ton.test.ts',
    test: 'of another code than the policy pins',
    why: 'which contract takes the coin that goes along with a jetton is the word of the server',
  },
  {
    file: 'apps/signer/src/verify.ts',
    original: 'if (!known) checkWallets(effects, policy)',
    replacement: '',
    claimedBy: 'apps/signer/src/verify-ton.test.ts',
    why: 'signers sign for a jetton wallet of any code',
  },
]
