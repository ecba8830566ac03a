import { fromHex, toHex } from '@holdfast/encoding'
import { linkPublicKey } from '@holdfast/link'
import type { Ports } from '@holdfast/ports'
import type { LocalSettings } from './local-settings.ts'
import { runToEnd } from './run-to-end.ts'

export const PARTIES = [1, 2, 3]
/** In production each signer belongs to another owner on another machine; here the names only say so. */
export const OPERATORS = ['This machine, signer 1', 'This machine, signer 2', 'This machine, signer 3']

export type Identities = { serverIdentityPath: string; serverSecretPath: string; serverKey: string; signerKeys: string[]; demoRecipientsPath: string }

/** Makes, once, what each process is known by: link keys, vault keys, and the demo's recovery identities. */
export async function prepareIdentities(ports: Ports, settings: LocalSettings): Promise<Identities> {
  const { folder } = settings
  const serverIdentityPath = `${folder}/server/identity`
  await ports.disk.makeFolder(`${folder}/server`)
  const serverSecret = await secretFile(ports, serverIdentityPath)
  const serverSecretPath = `${folder}/server/secret`
  await secretFile(ports, serverSecretPath)
  const signerKeys = await Promise.all(PARTIES.map((party) => initSigner(ports, settings, party)))
  return {
    serverIdentityPath,
    serverSecretPath,
    serverKey: toHex(linkPublicKey({ secretKey: serverSecret })),
    signerKeys,
    demoRecipientsPath: await demoRecipients(ports, settings),
  }
}

/** The 32 secret bytes of a file, in hexadecimal; made when there is none. */
async function secretFile(ports: Ports, path: string): Promise<Uint8Array> {
  const existing = await ports.disk.read(path)
  if (existing) return fromHex(new TextDecoder().decode(existing).trim())
  const secret = ports.random.bytes(32)
  await ports.disk.writeAtomic(path, new TextEncoder().encode(`${toHex(secret)}\n`))
  return secret
}

export function signerFolder(settings: LocalSettings, party: number): string {
  return `${settings.folder}/signer-${party}`
}

/** What `init` and `run` of a signer both need to know. */
export function signerStorage(settings: LocalSettings, party: number): Record<string, string> {
  const folder = signerFolder(settings, party)
  return { SIGNER_DATA: `${folder}/data`, SIGNER_IDENTITY: `${folder}/identity`, SIGNER_VAULT_KEY_FILE: `${folder}/vault-key` }
}

/** Makes the identity of a signer where its folder has none, and answers its public key, as its operator would read it. */
export async function initSigner(ports: Ports, settings: LocalSettings, party: number): Promise<string> {
  const folder = signerFolder(settings, party)
  await ports.disk.makeFolder(folder)
  const printed = await runToEnd(ports, [`${settings.root}/apps/signer/src/main.ts`, 'init'], {
    cwd: settings.root,
    logPath: `${folder}/init.log`,
    what: `making the identity of signer ${party}`,
    env: signerStorage(settings, party),
  })
  const key = /\b[0-9a-f]{64}\b/.exec(printed)?.[0]
  if (!key) throw new Error(`signer ${party} did not say its key:\n${printed}`)
  return key
}

/** One recovery identity for each signer's share, so that a demo can prove recovery on this machine. Never for real funds. */
async function demoRecipients(ports: Ports, settings: LocalSettings): Promise<string> {
  const folder = `${settings.folder}/recovery-demo`
  const path = `${folder}/recipients.json`
  if (await ports.disk.read(path)) return path
  await ports.disk.makeFolder(folder)
  const recipients = await Promise.all(
    PARTIES.map(async (party) => {
      const identityPath = `${folder}/identity-${party}.txt`
      await ports.disk.remove(identityPath)
      const printed = await runToEnd(ports, [`${settings.root}/apps/cli/src/main.ts`, 'recover', 'new-identity', identityPath], {
        cwd: settings.root,
        logPath: `${folder}/new-identity-${party}.log`,
        what: 'making a recovery identity',
      })
      const recipient = /\bage1[0-9a-z]+\b/.exec(printed)?.[0]
      if (!recipient) throw new Error(`the recovery tool did not print a recipient:\n${printed}`)
      return [recipient]
    }),
  )
  await ports.disk.writeAtomic(path, new TextEncoder().encode(JSON.stringify(recipients)))
  return path
}
