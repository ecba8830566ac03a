import { fileURLToPath } from 'node:url'
import { CONFIGURATION_EXIT_CODE } from '@holdfast/ports'
import { nodePorts as ports } from '@holdfast/ports/node'
import { type Config, ConfigError, readConfig, readStorageConfig } from './config.ts'
import { JournalError } from './state/journal.ts'
import { initSigner } from './init-signer.ts'
import { VaultError } from './state/vault-key.ts'

/*
 * signer init   makes the vault key and the identity where there are none, and prints the public key; loads nothing else
 * signer run    serves until stopped
 */

async function main(): Promise<void> {
  ports.process.keepInspectorsOut()
  const command = ports.process.argv[0] ?? 'run'
  const { env } = ports.process
  try {
    if (command === 'init') return ports.process.print(await initSigner(ports, readStorageConfig(env)))
    if (command === 'run') return await run(await readConfig(env, ports.disk))
  } finally {
    forgetPassphrase()
  }
  throw new ConfigError([`there is no command ${command}: use init or run`])
}

async function run(config: Config): Promise<void> {
  forgetPassphrase()
  const pageFolder = fileURLToPath(new URL('../page/dist', import.meta.url))
  const { startSigner } = await import('./start-signer.ts')
  const running = await startSigner({ ports, config, pageFolder, say: (line) => ports.process.print(line) })
  ports.process.onStop(() => running.close())
}

/** No child and no report of this process gets it. What the kernel keeps of a process's first environment cannot be taken back: a key file is better. */
function forgetPassphrase(): void {
  delete ports.process.env['SIGNER_PASSPHRASE']
}

try {
  await main()
} catch (cause) {
  const foreseen = [ConfigError, VaultError, JournalError].some((kind) => cause instanceof kind)
  ports.process.printError(foreseen ? (cause as Error).message : cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))
  await ports.process.exit(cause instanceof ConfigError ? CONFIGURATION_EXIT_CODE : 1)
}
