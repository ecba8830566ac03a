import assert from 'node:assert/strict'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import { createIdentity, openIdentity } from './identity.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { type BlobLabel, Vault } from './vault.ts'
import { openVaultKeys, VaultError } from './vault-key.ts'

const label: BlobLabel = {
  kind: 'share',
  protocol: 'dkls23/v1',
  curve: 'secp256k1',
  genesis: new Uint8Array(32).fill(1),
  keyId: new Uint8Array(32).fill(2),
  epoch: 0n,
  party: 1,
  peer: 0,
}
const secret = new Uint8Array(500).fill(42)
const key = new Uint8Array(32).fill(9)

const namesThe = (path: string, reason: RegExp) => (cause: Error) => cause instanceof VaultError && cause.message.startsWith(path) && reason.test(cause.message)

describe('the vault', () => {
  it('gives back what was put in, and nothing where nothing was', async (t) => {
    const vault = new Vault(nodePorts, await tempFolder(t), key)
    assert.equal(await vault.get(label), undefined)
    await vault.put(label, secret)
    assert.deepEqual(await vault.get(label), secret)
    await vault.put(label, key)
    assert.deepEqual(await vault.get(label), key)
  })

  it('keeps no byte of a secret readable on disk, and lets only its owner read the file', async (t) => {
    const vault = new Vault(nodePorts, await tempFolder(t), key)
    await vault.put(label, secret)
    assert.equal((await readFile(vault.pathOf(label))).includes(Buffer.from(secret.subarray(0, 8))), false)
    assert.equal((await nodePorts.disk.stat(vault.pathOf(label)))!.mode, 0o600)
  })

  it('names the file and the reason when a blob stands in the place of another', async (t) => {
    const vault = new Vault(nodePorts, await tempFolder(t), key)
    await vault.put(label, secret)
    const others: [keyof BlobLabel, Partial<BlobLabel>][] = [
      ['kind', { kind: 'pair-seeds', peer: 2 }],
      ['protocol', { protocol: 'other/v1' }],
      ['curve', { curve: 'ed25519' }],
      ['genesis', { genesis: new Uint8Array(32).fill(7) }],
      ['keyId', { keyId: new Uint8Array(32).fill(3) }],
      ['epoch', { epoch: 1n }],
      ['party', { party: 2 }],
    ]
    for (const [what, change] of others) {
      const other = { ...label, ...change }
      if (vault.pathOf(other) !== vault.pathOf(label)) await copyFile(vault.pathOf(label), vault.pathOf(other))
      await assert.rejects(vault.get(other), namesThe(vault.pathOf(other), new RegExp(`another ${what}`)))
    }
  })

  it('names the file when any of its bytes was changed, cut off or added', async (t) => {
    const vault = new Vault(nodePorts, await tempFolder(t), key)
    await vault.put(label, secret)
    const path = vault.pathOf(label)
    const whole = await readFile(path)
    const damaged = fc.oneof(
      fc.tuple(fc.nat(whole.length - 1), fc.nat(7)).map(([at, bit]) => whole.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte))),
      fc.nat(whole.length - 1).map((length) => whole.subarray(0, length)),
      fc.uint8Array({ minLength: 1, maxLength: 5 }).map((more) => Buffer.concat([whole, more])),
    )
    await fc.assert(
      fc.asyncProperty(damaged, async (content) => {
        await writeFile(path, content)
        await assert.rejects(vault.get(label), namesThe(path, /damaged|another|does not open/))
      }),
      { numRuns: 300 },
    )
  })

  it('does not open under another vault key', async (t) => {
    const folder = await tempFolder(t)
    await new Vault(nodePorts, folder, key).put(label, secret)
    const other = new Vault(nodePorts, folder, new Uint8Array(32))
    await assert.rejects(other.get(label), namesThe(other.pathOf(label), /does not open/))
  })
})

describe('the vault key', () => {
  const withFile = (folder: string) => ({
    dataFolder: folder,
    identityPath: `${folder}/identity`,
    vaultKey: { kind: 'file' as const, path: `${folder}/vault-key` },
  })

  it('is made once by init and is the same ever after', async (t) => {
    const config = withFile(await tempFolder(t))
    const made = await openVaultKeys(nodePorts, config, { create: true })
    assert.deepEqual(await openVaultKeys(nodePorts, config, { create: true }), made)
    assert.deepEqual(await openVaultKeys(nodePorts, config, { create: false }), made)
    const identity = await createIdentity(nodePorts, config.identityPath, made.identity)
    assert.deepEqual(await createIdentity(nodePorts, config.identityPath, made.identity), identity)
    assert.deepEqual(await openIdentity(nodePorts, config.identityPath, made.identity), identity)
  })

  it('is not guessed: a missing folder, a lost, open or wrong key file each say what is the matter', async (t) => {
    const config = withFile(await tempFolder(t))
    const { path } = config.vaultKey
    const open = () => openVaultKeys(nodePorts, config, { create: false })
    await assert.rejects(open(), namesThe(config.dataFolder, /run `init`/))
    await openVaultKeys(nodePorts, config, { create: true })
    await nodePorts.disk.writeAtomic(path, new Uint8Array(32).fill(1))
    await assert.rejects(open(), namesThe(config.dataFolder, /not the key this vault was made with/))
    await nodePorts.disk.writeAtomic(path, new Uint8Array(31))
    await assert.rejects(open(), namesThe(path, /31 bytes/))
    await nodePorts.disk.writeAtomic(path, new Uint8Array(32), 0o644)
    await assert.rejects(open(), namesThe(path, /chmod/))
    await nodePorts.disk.remove(path)
    await assert.rejects(open(), namesThe(path, /missing/))
    await assert.rejects(openVaultKeys(nodePorts, config, { create: true }), namesThe(path, /missing/), 'init makes no second key for a vault there is')
  })

  it('and the identity outlive the rest of the folder where a copy of the parameters was kept; without one, init makes nothing that would not open it', async (t) => {
    const config = withFile(await tempFolder(t))
    const path = `${config.dataFolder}/vault-parameters`
    const identity = await createIdentity(nodePorts, config.identityPath, (await openVaultKeys(nodePorts, config, { create: true })).identity)
    const copy = (await nodePorts.disk.read(path))!
    await nodePorts.disk.remove(path)
    for (const create of [true, false]) await assert.rejects(openVaultKeys(nodePorts, config, { create }), namesThe(path, /sealed with it: put back a copy/))
    assert.equal(await nodePorts.disk.stat(path), undefined)
    await nodePorts.disk.writeAtomic(path, copy)
    const { identity: key } = await openVaultKeys(nodePorts, config, { create: false })
    assert.deepEqual(await openIdentity(nodePorts, config.identityPath, key), identity)
  })

  it('may be a passphrase, and only that one', async (t) => {
    const folder = await tempFolder(t)
    const config = (passphrase: string) => ({ dataFolder: folder, identityPath: `${folder}/identity`, vaultKey: { kind: 'passphrase' as const, passphrase } })
    const made = await openVaultKeys(nodePorts, config('correct horse battery'), { create: true })
    assert.deepEqual(await openVaultKeys(nodePorts, config('correct horse battery'), { create: false }), made)
    await assert.rejects(openVaultKeys(nodePorts, config('correct horse batterz'), { create: false }), namesThe(folder, /passphrase is wrong/))
  })
})
