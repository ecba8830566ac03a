import { getRecoveryKit, submitDrill } from '@holdfast/features/key-recovery/contract'
import type { Ports } from '@holdfast/ports'
import { known } from '@holdfast/units'
import type { LocalSettings } from './local-settings.ts'
import { runToEnd } from './run-to-end.ts'
import type { TerminalMember } from './terminal-member.ts'

/**
 * Rebuilds a demo wallet's key from two of its three sealed shares, those of `parties`, with the recovery tool, and hands in the proof, which opens
 * deposits. Answers the proof, base64.
 */
export async function proveRecovery(ports: Ports, settings: LocalSettings, member: TerminalMember, walletId: string, parties = [1, 2]): Promise<string> {
  const { folder, root } = settings
  const { kit } = await member.client.call(getRecoveryKit, { wallet_id: walletId })
  const { kitPath, drillPath, args } = recoveryDrill(settings, walletId, 'drill', parties)
  await ports.disk.remove(drillPath)
  await ports.disk.writeAtomic(kitPath, Buffer.from(known(kit, 'the recovery kit'), 'base64'))
  await runToEnd(ports, [`${root}/apps/cli/src/main.ts`, 'recover', ...args], {
    cwd: root,
    logPath: `${folder}/logs/recover.log`,
    what: 'verifying the recovery kit',
  })
  const drill = Buffer.from(known(await ports.disk.read(drillPath), 'the drill')).toString('base64')
  await member.client.call(submitDrill, { wallet_id: walletId, drill })
  return drill
}

/** What the recovery tool is given for a demo wallet: its kit, two of the demo's three identities, and where the proof goes. */
export function recoveryDrill(
  { folder }: LocalSettings,
  walletId: string,
  proof: string,
  parties = [1, 2],
): { kitPath: string; drillPath: string; args: string[] } {
  const kitPath = `${folder}/recovery-kit-${walletId}`
  const drillPath = `${folder}/${proof}-${walletId}`
  const identities = parties.flatMap((party) => ['--identity', `${folder}/recovery-demo/identity-${party}.txt`])
  return { kitPath, drillPath, args: ['verify', '--kit', kitPath, ...identities, '--out', drillPath] }
}
