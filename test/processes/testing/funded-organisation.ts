import { nodePorts as ports } from '@holdfast/ports/node'
import { depositFromFaucet } from '../../../apps/launcher/src/deposit-from-faucet.ts'
import { foundOrganisation } from '../../../apps/launcher/src/found-organisation.ts'
import { makeWallet } from '../../../apps/launcher/src/make-wallet.ts'
import { proveRecovery } from '../../../apps/launcher/src/prove-recovery.ts'
import type { TerminalMember } from '../../../apps/launcher/src/terminal-member.ts'
import type { TestStack } from './start-test-stack.ts'

export type FundedOrganisation = {
  /** Alice asks; any two of the other members approve. */
  alice: TerminalMember
  bruno: TerminalMember
  chiara: TerminalMember
  /** Those who were asked for beside the three. */
  others: readonly TerminalMember[]
  walletId: string
  subWalletId: string
  address: string
  fingerprint: string
  /** The proof of recovery that was handed in, base64. */
  drill: string
}

/** An organisation of three people, and the `others`, that holds `amount` ETH in one wallet whose recovery is proven. `mark` stands in every name. */
export async function foundFunded(
  { settings }: Pick<TestStack, 'settings'>,
  { amount, mark = 'Test', others: more = [] }: { amount: string; mark?: string; others?: readonly string[] },
): Promise<FundedOrganisation> {
  const names = ['Alice', 'Bruno', 'Chiara', ...more].map((name) => `${name} ${mark}`)
  const { members, fingerprint } = await foundOrganisation(ports, settings, { name: `Organisation ${mark}`, members: names, threshold: 2 })
  const [alice, bruno, chiara, ...others] = members as [TerminalMember, TerminalMember, TerminalMember, ...TerminalMember[]]
  const { walletId, subWalletId } = await makeWallet(ports, alice, `Wallet ${mark}`)
  const drill = await proveRecovery(ports, settings, alice, walletId)
  const address = await depositFromFaucet(ports, settings, alice, { subWalletId, symbol: 'ETH', amount })
  return { alice, bruno, chiara, others, walletId, subWalletId, address, fingerprint, drill }
}
