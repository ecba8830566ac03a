import { toHex } from '@holdfast/encoding'
import { readLimits } from '../limits/read-limits.ts'
import { readConfig } from '../read-config.ts'
import { readWitness } from '../state/journal.ts'
import { readPublicKey } from '../state/sealed-key.ts'
import type { Given } from './given.ts'

/** Reads every file that `run` needs, without the password, and says in words what they come to. */
export async function checkConf({ ports, configPath }: Given): Promise<number> {
  const { print } = ports.process
  const config = await readConfig(ports, configPath)
  const { limits, digest } = await readLimits(ports, config.files.limits)
  const { position } = await readWitness(ports, config.files.witness)
  print(`organisation  ${toHex(config.organisation)}`)
  print(`machine       ${config.machine}, key ${toHex(await readPublicKey(ports, config.files.key))}`)
  print(`server        ${config.server.host}:${config.server.port}${config.proxy === null ? '' : ', through a proxy'}`)
  print(`journal       at ${position}`)
  print(`limits        ${limits.assets.length} assets on ${limits.networks.length} networks, SHA-256 ${digest}`)
  print(`callback      ${config.callback ? `${config.callback.url}, ${config.callback.form} form` : 'none: every order is refused'}`)
  print(`figures       ${config.figures ? `http://${config.figures.host}:${config.figures.port}/metrics` : 'none'}`)
  return config.callback ? 0 : 1
}
