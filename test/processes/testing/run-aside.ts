import { readFileSync } from 'node:fs'
import { fromHex, toHex } from '@holdfast/encoding'
import { linkPublicKey } from '@holdfast/link'
import { nodePorts as ports } from '@holdfast/ports/node'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import type { TestStack } from './start-test-stack.ts'

/** A signer on a folder of its own, beside those of the stack. */
export type SignerAside = {
  /** Waits until it has logged this. */
  until(said: RegExp): Promise<void>
  /** Ends it, and answers all that it logged. */
  end(): Promise<string>
}

/** Starts a signer on the folder of a machine that another one has taken the place of. */
export function runAside({ settings }: Pick<TestStack, 'settings'>, { party, folder }: { party: number; folder: string }): SignerAside {
  const logPath = `${folder}/log`
  const serverSecret = fromHex(readFileSync(`${settings.folder}/server/identity`, 'utf8').trim())
  const child = ports.process.spawn('node', ['--disable-sigusr1', `${settings.root}/apps/signer/src/main.ts`, 'run'], {
    cwd: settings.root,
    logPath,
    env: {
      SIGNER_PARTY: String(party),
      SIGNER_OPERATOR: 'The operator before',
      SIGNER_DATA: `${folder}/data`,
      SIGNER_IDENTITY: `${folder}/identity`,
      SIGNER_VAULT_KEY_FILE: `${folder}/vault-key`,
      SIGNER_SERVER_HOST: '127.0.0.1',
      SIGNER_SERVER_PORT: String(settings.ports.link),
      SIGNER_SERVER_KEY: toHex(linkPublicKey({ secretKey: serverSecret })),
      SIGNER_GENESIS_PINS: 'any',
    },
  })
  const log = () => readFileSync(logPath, 'utf8')
  return {
    until: async (said) => {
      await waitUntil(ports, String(said), async () => said.test(log()) || undefined)
    },
    end: async () => {
      child.kill('SIGKILL')
      await child.exited
      return log()
    },
  }
}
