import { readConfig } from '../read-config.ts'
import { openKey, writeKey } from '../state/sealed-key.ts'
import { type Given, longEnough } from './given.ts'

/** Seals the key with another password. The key stays, and so does the policy. */
export async function changePassword({ ports, configPath, password }: Given): Promise<number> {
  const config = await readConfig(ports, configPath)
  const key = await openKey(ports, config.files.key, await password())
  const given = ports.process.env['CO_SIGNER_NEW_PASSWORD']
  if (!given) ports.process.printError('New password:')
  await writeKey(ports, config.files.key, { key, password: longEnough(given || ((await ports.process.readLine()) ?? '')) })
  ports.process.print('The key is sealed with the new password. Older copies of the file still open with the older one: destroy them.')
  return 0
}
