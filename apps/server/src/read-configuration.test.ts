import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Ports } from '@holdfast/ports'
import { ConfigurationError, readConfiguration } from './read-configuration.ts'

const NETWORKS = JSON.stringify([
  { chain: 'eip155:1', name: 'One', rpc_urls: ['http://127.0.0.1:1'], native: { symbol: 'ETH', decimals: 18 }, finality_blocks: 1 },
])
const KEY = 'ab'.repeat(32)
const NEEDED = {
  SERVER_DATA: '/data',
  SERVER_ORIGIN: 'https://console.example',
  SERVER_TRUSTED_PROXIES: '10.0.0.7,fd00::/8',
  SERVER_CONSOLE: '/console',
  SERVER_IDENTITY: '/identity',
  SERVER_SECRET_FILE: '/secret',
  SERVER_SIGNER_KEYS: [KEY, KEY, KEY].join(),
  SERVER_APPROVAL_ORIGIN: 'https://approve.example',
  SERVER_NETWORKS: '/networks',
}
const PAGE = await readFile(new URL('../../../docs/adding-a-chain.md', import.meta.url), 'utf8')
const [, EXAMPLE = ''] = /```json\n([\s\S]*?)```/.exec(PAGE) ?? []
const files: Record<string, string> = { '/networks': NETWORKS, '/example': EXAMPLE, '/password': 'open sesame\n' }

function configurationOf(env: Record<string, string | undefined>) {
  const read = async (path: string) => (Object.hasOwn(files, path) ? new TextEncoder().encode(files[path]) : undefined)
  return readConfiguration({ process: { env: { ...NEEDED, ...env } }, disk: { read } } as unknown as Ports)
}

const mailServer = async (env: Record<string, string>) => (await configurationOf(env)).mailServer

test('a server behind TLS says whose word for an address is believed, if only that nobody is', async () => {
  const proxies = async (value: string | undefined, SERVER_ORIGIN = NEEDED.SERVER_ORIGIN) =>
    (await configurationOf({ SERVER_TRUSTED_PROXIES: value, SERVER_ORIGIN })).SERVER_TRUSTED_PROXIES
  assert.deepEqual(await proxies('10.0.0.7,fd00::/8'), ['10.0.0.7', 'fd00::/8'])
  assert.deepEqual(await proxies('none'), [])
  assert.equal(await proxies(undefined, 'http://localhost:7000'), undefined)
  for (const wrong of [undefined, '', 'any', '0.0.0.0/0', 'proxy.example'])
    await assert.rejects(proxies(wrong), (cause) => cause instanceof ConfigurationError && /SERVER_TRUSTED_PROXIES/.test(cause.message), wrong)
})

test('a mail server is none, or one that is told whole', async () => {
  assert.equal(await mailServer({}), undefined)
  const from = 'holdfast@company.example'
  assert.deepEqual(await mailServer({ SERVER_SMTP_URL: 'smtp://mail.example', SERVER_MAIL_FROM: from }), {
    host: 'mail.example',
    port: 587,
    isSecure: false,
    user: '',
    password: undefined,
    from,
  })
  const secure = { SERVER_SMTP_URL: 'smtps://ann%40company.example@[::1]:2465/', SERVER_SMTP_PASSWORD_FILE: '/password', SERVER_MAIL_FROM: from }
  assert.deepEqual(await mailServer(secure), { host: '::1', port: 2465, isSecure: true, user: 'ann@company.example', password: 'open sesame', from })
  const wrong: [Record<string, string>, RegExp][] = [
    [{ SERVER_SMTP_URL: 'smtp://mail.example' }, /SERVER_MAIL_FROM/],
    [{ SERVER_MAIL_FROM: from }, /SERVER_SMTP_URL/],
    [{ SERVER_SMTP_URL: 'http://mail.example', SERVER_MAIL_FROM: from }, /SERVER_SMTP_URL/],
    [{ SERVER_SMTP_URL: 'smtp://mail.example?tls=no', SERVER_MAIL_FROM: from }, /SERVER_SMTP_URL/],
    [{ SERVER_SMTP_URL: 'smtp://ann:secret@mail.example', SERVER_MAIL_FROM: from }, /SERVER_SMTP_PASSWORD_FILE/],
    [{ SERVER_SMTP_URL: 'smtp://ann@mail.example', SERVER_MAIL_FROM: from }, /SERVER_SMTP_PASSWORD_FILE/],
    [{ SERVER_SMTP_URL: 'smtp://mail.example', SERVER_SMTP_PASSWORD_FILE: '/password', SERVER_MAIL_FROM: from }, /SERVER_SMTP_PASSWORD_FILE/],
    [{ SERVER_SMTP_URL: 'smtp://ann@mail.example', SERVER_SMTP_PASSWORD_FILE: '/nowhere', SERVER_MAIL_FROM: from }, /nowhere/],
    [{ SERVER_SMTP_URL: 'smtp://mail.example', SERVER_MAIL_FROM: 'holdfast@localhost' }, /SERVER_MAIL_FROM/],
  ]
  for (const [env, names] of wrong) {
    await assert.rejects(
      mailServer(env),
      (cause) => cause instanceof ConfigurationError && names.test(cause.message) && !cause.message.includes('secret@'),
      JSON.stringify(env),
    )
  }
})

test('the network that docs/adding-a-chain.md shows is taken as it stands there', async () => {
  const { networks } = await configurationOf({ SERVER_NETWORKS: '/example' })
  assert.deepEqual(
    networks.map(({ chain, native, tokens }) => [chain, native.symbol, tokens.length]),
    [['eip155:4242', 'SRG', 1]],
  )
})

test('two networks whose transactions are valid on each other are refused by their names', async () => {
  const [one] = JSON.parse(NETWORKS) as object[]
  for (const [a, b] of [
    ['tron:0x2b6653dc', 'tron:0xcd8690dc'],
    ['bip122:000000000019d6689c085ae165831e93', 'bip122:000000000933ea01ad0ee984209779ba'],
  ] as const) {
    files['/apart'] = JSON.stringify([a, b].map((chain) => ({ ...one, chain })))
    await assert.rejects(
      configurationOf({ SERVER_NETWORKS: '/apart' }),
      (cause) => cause instanceof ConfigurationError && cause.message.includes(`${a} and ${b}`),
    )
  }
  files['/apart'] = JSON.stringify(['eip155:1', 'eip155:10'].map((chain) => ({ ...one, chain })))
  assert.equal((await configurationOf({ SERVER_NETWORKS: '/apart' })).networks.length, 2)
})
