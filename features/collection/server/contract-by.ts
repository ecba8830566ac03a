import { collector, type PinnedContract, sweeper } from '@holdfast/chain-evm/collect'

/** The contract of ours by which a collector gets at tokens: addresses allow the one to take some, and the code of the other runs in their name (EIP-7702). */
export const contractBy = ({ way }: { way: 'allowance' | 'delegation' }): PinnedContract => (way === 'delegation' ? sweeper : collector)
