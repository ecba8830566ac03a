import { equalBytes } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { coSignerCalls } from '@holdfast/protocol/co-signer-calls'
import { type Config, readConfig } from '../read-config.ts'
import { dial } from '../start-co-signer.ts'
import { type CoSignerKey, openKey } from '../state/sealed-key.ts'
import type { Given } from './given.ts'

const WITHIN_MS = 15_000
const LOOK_EVERY_MS = 100
const CALL_MS = 10_000

/** Dials the server once and says from which address it sees this machine, whether the policy names this key, and how far the clocks are apart. */
export async function checkIp({ ports, configPath, password }: Given): Promise<number> {
  const config = await readConfig(ports, configPath)
  const key = await openKey(ports, config.files.key, await password())
  return (await lookFromServer(ports, config, key)) ? 0 : 1
}

/** What the server sees, in words; false where it does not let this co-signer in. */
export async function lookFromServer(ports: Ports, config: Config, key: CoSignerKey): Promise<boolean> {
  const { print, printError } = ports.process
  const states: string[] = []
  const link = dial({ ports, config, key, say: (line) => states.push(line) }, [])
  try {
    const from = ports.clock.monotonicMs()
    while (!link.connected && ports.clock.monotonicMs() - from < WITHIN_MS) await ports.timer.sleep(LOOK_EVERY_MS)
    if (!link.connected) {
      printError(`The server does not let this co-signer in: ${states.at(-1) ?? 'no connection'}`)
      printError('It lets in the keys that a policy in force names as co-signers.')
      return false
    }
    const { address, atMs, organisations } = await link.call(coSignerCalls.seenAs, {}, { timeoutMs: CALL_MS })
    const apartMs = Math.abs(Number(atMs) - ports.clock.nowMs())
    print(`The server sees this machine as ${address}.`)
    print(`The clocks are ${(apartMs / 1000).toFixed(1)} seconds apart.`)
    const isNamed = organisations.some((each) => equalBytes(each, config.organisation))
    if (!isNamed) printError('The policy of the organisation in the configuration does not name this key.')
    return isNamed
  } finally {
    link.close()
  }
}
