import type { Ports } from '@holdfast/ports'
import { known } from '@holdfast/units'
import type { LocalSettings } from './local-settings.ts'
import { runToEnd } from './run-to-end.ts'

/** A drill of a demo wallet: what its files are called after, and which two of the demo's three identities it is held with. */
export type DemoDrill = { name: string; proof?: string; parties?: readonly number[] }

/**
 * Rebuilds the key of a demo wallet from its kit with the recovery tool, in a process of its own, and answers the proof. The identities are read by that
 * process alone.
 */
export async function runDrill(ports: Ports, settings: LocalSettings, kit: Uint8Array, drill: DemoDrill): Promise<Uint8Array> {
  const { folder, root } = settings
  const { kitPath, drillPath, args } = recoveryDrill(settings, drill)
  await ports.disk.remove(drillPath)
  await ports.disk.writeAtomic(kitPath, kit)
  await runToEnd(ports, [`${root}/apps/cli/src/main.ts`, 'recover', ...args], {
    cwd: root,
    logPath: `${folder}/logs/recover-${drill.name}.log`,
    what: 'verifying the recovery kit',
  })
  return known(await ports.disk.read(drillPath), 'the drill')
}

/** What the recovery tool is given for a demo wallet: its kit, two of the demo's three identities, and where the proof goes. */
export function recoveryDrill(
  { folder }: LocalSettings,
  { name, proof = 'drill', parties = [1, 2] }: DemoDrill,
): { kitPath: string; drillPath: string; args: string[] } {
  const kitPath = `${folder}/recovery-kit-${name}`
  const drillPath = `${folder}/${proof}-${name}`
  const identities = parties.flatMap((party) => ['--identity', `${folder}/recovery-demo/identity-${party}.txt`])
  return { kitPath, drillPath, args: ['verify', '--kit', kitPath, ...identities, '--out', drillPath] }
}
