import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fromHex } from '@holdfast/encoding'
import { ConfigError, readConfig, readStorageConfig } from './config.ts'

const keyHex = 'ab'.repeat(32)
const good = {
  SIGNER_PARTY: '2',
  SIGNER_OPERATOR: 'East Data Ltd',
  SIGNER_DATA: '/var/lib/signer',
  SIGNER_SERVER_HOST: 'server.example',
  SIGNER_SERVER_PORT: '24100',
  SIGNER_SERVER_KEY: keyHex,
  SIGNER_VAULT_KEY_FILE: '/etc/signer/vault-key',
}
const files = new Map([['/etc/signer/peers', new TextEncoder().encode(`${keyHex}\n${'cd'.repeat(32)}\n`)]])
const disk = { read: async (path: string) => files.get(path) }
const problemsOf = async (env: Record<string, string | undefined>) => {
  try {
    await readConfig(env, disk)
    return []
  } catch (cause) {
    assert.ok(cause instanceof ConfigError)
    return cause.problems
  }
}

describe('the configuration', () => {
  it('is read whole, with the safest defaults', async () => {
    const config = await readConfig(good, disk)
    assert.deepEqual(config, {
      party: 2,
      name: 'signer-2',
      operator: 'East Data Ltd',
      dataFolder: '/var/lib/signer',
      identityPath: '/var/lib/signer/identity',
      vaultKey: { kind: 'file', path: '/etc/signer/vault-key' },
      server: { host: 'server.example', port: 24100, key: fromHex(keyHex) },
      peers: null,
      genesisPins: [],
      approval: null,
    })
  })

  it('names every variable that is missing, and what to do', async () => {
    const problems = await problemsOf({})
    for (const name of Object.keys(good))
      assert.ok(
        problems.some((problem) => problem.includes(name)),
        name,
      )
    assert.equal(problems.length, Object.keys(good).length)
  })

  it('names each variable that is wrong, and no other', async () => {
    const wrong: [string, string][] = [
      ['SIGNER_PARTY', '4'],
      ['SIGNER_PARTY', '01'],
      ['SIGNER_SERVER_PORT', '0'],
      ['SIGNER_SERVER_PORT', '65536'],
      ['SIGNER_SERVER_KEY', keyHex.slice(2)],
      ['SIGNER_SERVER_KEY', `${keyHex.slice(2)}zz`],
      ['SIGNER_OPERATOR', 'x'.repeat(201)],
      ['SIGNER_GENESIS_PINS', 'all'],
      ['SIGNER_PEERS', '/etc/signer/nothing'],
      ['SIGNER_PASSPHRASE', 'a passphrase too'],
      ['SIGNER_APPROVAL_PORT', '80'],
    ]
    for (const [name, value] of wrong) {
      const problems = await problemsOf({ ...good, [name]: value })
      assert.equal(problems.length, 1, `${name}=${value}`)
      assert.match(problems[0]!, name === 'SIGNER_APPROVAL_PORT' ? /SIGNER_APPROVAL_ORIGIN/ : new RegExp(name))
    }
  })

  it('takes peers from the variable or from a file', async () => {
    assert.deepEqual((await readConfig({ ...good, SIGNER_PEERS: `${keyHex},${'cd'.repeat(32)}` }, disk)).peers, [fromHex(keyHex), fromHex('cd'.repeat(32))])
    assert.deepEqual((await readConfig({ ...good, SIGNER_PEERS: '/etc/signer/peers' }, disk)).peers, [fromHex(keyHex), fromHex('cd'.repeat(32))])
  })

  it('serves approvals on a secure origin only', async () => {
    const env = (origin: string) => ({ ...good, SIGNER_APPROVAL_PORT: '24200', SIGNER_APPROVAL_ORIGIN: origin, SIGNER_TRUSTED_PROXIES: 'none' })
    for (const origin of ['https://approve.example.com', 'http://approve.localhost:24200', 'http://localhost:24200'])
      assert.equal((await readConfig(env(origin), disk)).approval!.origin, origin)
    assert.equal((await readConfig(env('http://approve.localhost:24200'), disk)).approval!.rpId, 'approve.localhost')
    for (const origin of [
      'http://approve.example.com',
      'https://approve.example.com/',
      'https://approve.example.com/path',
      'approve.example.com',
      'ftp://localhost',
      'http://evillocalhost',
    ]) {
      assert.equal((await problemsOf(env(origin))).length, 1, origin)
    }
  })

  it('of a page behind TLS says whose word for an address is believed, if only that nobody is', async () => {
    const env = (proxies: string | undefined, origin = 'https://approve.example.com') => ({
      ...good,
      SIGNER_APPROVAL_PORT: '24200',
      SIGNER_APPROVAL_ORIGIN: origin,
      SIGNER_TRUSTED_PROXIES: proxies,
    })
    const proxiesOf = async (...given: Parameters<typeof env>) => (await readConfig(env(...given), disk)).approval!.trustedProxies
    assert.deepEqual(await proxiesOf('10.0.0.7, fd00::/8'), ['10.0.0.7', 'fd00::/8'])
    assert.deepEqual(await proxiesOf('none'), [])
    assert.deepEqual(await proxiesOf(undefined, 'http://approve.localhost:24200'), [])
    for (const wrong of [undefined, 'any', '0.0.0.0/0', 'proxy.example']) {
      const problems = await problemsOf(env(wrong))
      assert.deepEqual([problems.length, problems[0]?.startsWith('SIGNER_TRUSTED_PROXIES')], [1, true], wrong)
    }
  })

  it('of init asks only for what init needs', () => {
    assert.deepEqual(readStorageConfig({ SIGNER_DATA: '/data', SIGNER_PASSPHRASE: 'correct horse battery' }), {
      dataFolder: '/data',
      identityPath: '/data/identity',
      vaultKey: { kind: 'passphrase', passphrase: 'correct horse battery' },
    })
    assert.throws(() => readStorageConfig({ SIGNER_DATA: '/data', SIGNER_PASSPHRASE: 'short' }), ConfigError)
  })
})
