import { getRecoveryKit, submitDrill } from '@holdfast/features/key-recovery/contract'
import type { Ports } from '@holdfast/ports'
import { known } from '@holdfast/units'
import type { LocalSettings } from './local-settings.ts'
import { runDrill } from './run-drill.ts'
import type { TerminalMember } from './terminal-member.ts'

/**
 * Rebuilds a demo wallet's key from two of its three sealed shares, those of `parties`, with the recovery tool, and hands in the proof, which opens
 * deposits. Answers the proof, base64.
 */
export async function proveRecovery(ports: Ports, settings: LocalSettings, member: TerminalMember, walletId: string, parties = [1, 2]): Promise<string> {
  const { kit } = await member.client.call(getRecoveryKit, { wallet_id: walletId })
  const proof = await runDrill(ports, settings, Buffer.from(known(kit, 'the recovery kit'), 'base64'), { name: walletId, parties })
  const drill = Buffer.from(proof).toString('base64')
  await member.client.call(submitDrill, { wallet_id: walletId, drill })
  return drill
}
