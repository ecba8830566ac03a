import { fileURLToPath } from 'node:url'
import { CONFIGURATION_EXIT_CODE } from '@holdfast/ports'
import { nodePorts as ports } from '@holdfast/ports/node'
import { ConfigError, readConfig, readStorageConfig } from './config.ts'
import { JournalError } from './journal.ts'
import { initSigner, startSigner } from './start-signer.ts'
import { VaultError } from './vault-key.ts'

/*
 * signer init   makes the vault key and the identity where there are none, and prints the public key
 * signer run    serves until stopped
 */

async function main(): Promise<void> {
  const command = ports.process.argv[0] ?? 'run'
  if (command === 'init') return ports.process.print(await initSigner(ports, readStorageConfig(ports.process.env)))
  if (command !== 'run') throw new ConfigError([`there is no command ${command}: use init or run`])
  const config = await readConfig(ports.process.env, ports.disk)
  const pageFolder = fileURLToPath(new URL('../page/dist', import.meta.url))
  const running = await startSigner({ ports, config, pageFolder, say: (line) => ports.process.print(line) })
  ports.process.onStop(() => running.close())
}

try {
  await main()
} catch (cause) {
  const foreseen = [ConfigError, VaultError, JournalError].some((kind) => cause instanceof kind)
  ports.process.printError(foreseen ? (cause as Error).message : cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))
  ports.process.exit(cause instanceof ConfigError ? CONFIGURATION_EXIT_CODE : 1)
}
