/*
 * Networks on which accounts can delegate to code (EIP-7702). Elsewhere a transaction of that kind is none, so nothing is offered there before a fork that
 * brings it is known. Source: the release notes of each network's fork: Prague (Ethereum, Gnosis and their test networks), Isthmus (OP stack), ArbOS 40
 * (Arbitrum), Pascal (BNB Smart Chain), Bhilai (Polygon), Euclid (Scroll).
 */
const NUMBERS: readonly number[] = [
  ...[1, 11155111, 560048, 100, 10200],
  ...[10, 130, 480, 1868, 8453, 57073, 1301, 84532, 11155420],
  ...[42161, 421614, 56, 97, 137, 80002, 534352],
  // The local networks of this product and of its tests.
  ...[31337, 31338],
]
const CHAINS: ReadonlySet<string> = new Set(NUMBERS.map((number) => `eip155:${number}`))

/** Whether accounts of a network, by its CAIP-2 name, are known to be able to delegate to code. */
export const hasDelegation = (chain: string): boolean => CHAINS.has(chain)
