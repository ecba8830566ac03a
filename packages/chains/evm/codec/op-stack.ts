/**
 * Known networks of the OP stack: besides the gas that a transaction pays for they take a fee for the chain they rest on, and no byte that is signed bounds it.
 * People who approve are told of it by the network's number alone; whoever builds a transaction asks the network itself. Source: the superchain registry.
 */
const NUMBERS = [
  10, 130, 252, 288, 480, 1135, 1750, 1868, 5000, 7560, 8453, 34443, 42220, 57073, 60808, 81457, 690, 7777777, 11155420, 84532, 1301, 4801, 763373,
]
const CHAINS: ReadonlySet<string> = new Set(NUMBERS.map((number) => `eip155:${number}`))

/** Whether a network is known to take a fee that no signature bounds. */
export const takesUnsignedFee = (chain: string): boolean => CHAINS.has(chain)
