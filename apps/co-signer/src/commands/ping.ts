import { toHex } from '@holdfast/encoding'
import { askCallback } from '../callback/ask-callback.ts'
import { readConfig } from '../read-config.ts'
import { openKey } from '../state/sealed-key.ts'
import { lookFromServer } from './check-ip.ts'
import type { Given } from './given.ts'

/** Whether the server lets this co-signer in, and the callback knows it. No order is decided meanwhile. */
export async function ping({ ports, configPath, password }: Given): Promise<number> {
  const config = await readConfig(ports, configPath)
  const key = await openKey(ports, config.files.key, await password())
  const isIn = await lookFromServer(ports, config, key)
  if (!config.callback) {
    ports.process.printError('No callback is configured: every order is refused.')
    return 1
  }
  const answer = await askCallback(ports, config.callback, { type: 'verify_public_hash', publicHash: toHex(key.publicKey) }, key)
  if (answer.kind === 'yes') ports.process.print('The callback knows this co-signer.')
  else ports.process.printError(`The callback does not know this co-signer: ${answer.reason}`)
  return isIn && answer.kind === 'yes' ? 0 : 1
}
