import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CONFIGURATION_EXIT_CODE } from '@holdfast/ports'

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'holdfast-server-damage-'))
after(() => rmSync(root, { recursive: true, force: true }))

const networks = [{ chain: 'eip155:31337', name: 'Local', rpc_urls: ['http://127.0.0.1:9'], native: { symbol: 'ETH', decimals: 18 }, finality_blocks: 3 }]
const WHOLE = { secret: `${'5a'.repeat(32)}\n`, identity: `${'6b'.repeat(32)}\n`, 'networks.json': JSON.stringify(networks), PG_VERSION: '18\n' }

/** Starts the server on these files, some of which are not as they should be. It ends, and this gives what it said. */
function startOn(files: Partial<Record<keyof typeof WHOLE, string>>): { code: number | null; said: string } {
  const folder = mkdtempSync(join(root, 'case-'))
  mkdirSync(join(folder, 'database', 'data'), { recursive: true, mode: 0o700 })
  for (const [name, content] of Object.entries({ ...WHOLE, ...files })) {
    writeFileSync(name === 'PG_VERSION' ? join(folder, 'database', 'data', name) : join(folder, name), content, { mode: 0o600 })
  }
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: join(root, 'compiled'),
    SERVER_DATA: join(folder, 'database'),
    SERVER_PORT: '0',
    SERVER_LINK_PORT: '0',
    SERVER_ORIGIN: 'http://localhost:7000',
    SERVER_CONSOLE: folder,
    SERVER_IDENTITY: join(folder, 'identity'),
    SERVER_SECRET_FILE: join(folder, 'secret'),
    SERVER_SIGNER_KEYS: ['01', '02', '03'].map((each) => each.repeat(32)).join(','),
    SERVER_APPROVAL_ORIGIN: 'http://approve.localhost:7020',
    SERVER_NETWORKS: join(folder, 'networks.json'),
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM], { env, encoding: 'utf8' })
  return { code: status, said: stdout + stderr }
}

const DAMAGES: [string, Partial<typeof WHOLE>, RegExp][] = [
  ['a secret cut short', { secret: '5a5a' }, /SERVER_SECRET_FILE: \S+\/secret must hold 32 secret bytes.*put back a copy/],
  ['a secret with one character changed', { secret: `${'5a'.repeat(31)}5!` }, /SERVER_SECRET_FILE: \S+\/secret must hold/],
  ['an empty link identity', { identity: '' }, /SERVER_IDENTITY: \S+\/identity must hold/],
  ['networks cut short', { 'networks.json': WHOLE['networks.json'].slice(0, 40) }, /SERVER_NETWORKS: \S+\/networks.json is not as it should be/],
  [
    'a network with a damaged field',
    { 'networks.json': WHOLE['networks.json'].replace('eip155', 'eip\u0015') },
    /SERVER_NETWORKS: \S+\/networks.json is not as it should be/,
  ],
  [
    'a network whose explorer leads elsewhere',
    { 'networks.json': JSON.stringify([{ ...networks[0], explorers: [{ tx_link: 'https://{txid}.example/', address_link: 'https://a.example/{address}' }] }]) },
    /SERVER_NETWORKS: [\s\S]*give explorers as https links of one host/,
  ],
  [
    'two networks whose transactions are valid on each other',
    { 'networks.json': JSON.stringify(['tron:0x2b6653dc', 'tron:0xcd8690dc'].map((chain) => ({ ...networks[0], chain }))) },
    /one of tron:0x2b6653dc and tron:0xcd8690dc/,
  ],
  [
    'two networks of Bitcoin',
    {
      'networks.json': JSON.stringify(
        ['bip122:000000000019d6689c085ae165831e93', 'bip122:000000000933ea01ad0ee984209779ba'].map((chain) => ({ ...networks[0], chain })),
      ),
    },
    /one of bip122:000000000019d6689c085ae165831e93 and bip122:000000000933ea01ad0ee984209779ba/,
  ],
  ['a database folder that is not whole', { PG_VERSION: '' }, /database\/data\/PG_VERSION is damaged or missing.*npm run restore/],
]

for (const [what, files, sentence] of DAMAGES) {
  it(`the server does not start on ${what}, and says which file it is`, () => {
    const { code, said } = startOn(files)
    // What starts the server again gives up on what a person must mend first.
    assert.equal(code, 'PG_VERSION' in files ? 1 : CONFIGURATION_EXIT_CODE, said)
    assert.match(said, /^The server cannot start\.\n/)
    assert.match(said, sentence)
    assert.doesNotMatch(said, /\n\s+at /, 'words, not a stack')
  })
}
