// Runs on whatever Node the machine has (20 or later) with nothing installed: installs what the lockfile names, once for
// each state of the lockfile, and then runs the program under the pinned Node.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const programs = {
  start: ['apps/launcher/src/main.ts'],
  demo: ['apps/launcher/src/demo.ts'],
  test: ['test/run-all.ts'],
  dev: ['apps/console/dev.ts'],
  bench: ['bench/run-all.ts'],
  openapi: ['test/interface-document.ts'],
  pictures: ['test/e2e/gallery/keep-pictures.ts'],
  licences: ['test/third-party-licences.ts'],
  'bug-bank': ['test/bug-bank/run.ts'],
  'store-release': ['test/upgrade/store-release.ts'],
  backup: ['apps/cli/src/main.ts', 'backup'],
  restore: ['apps/cli/src/main.ts', 'restore'],
  recover: ['apps/cli/src/main.ts', 'recover'],
  'co-signer': ['apps/co-signer/src/main.ts'],
  'verify-evidence': ['apps/cli/src/main.ts', 'verify-evidence'],
  'verify-log': ['apps/cli/src/main.ts', 'verify-log'],
}

const [name = '', ...given] = process.argv.slice(2)
const program = programs[name]
if (!program) {
  console.error(`Say what to run: npm run ${Object.keys(programs).join(' | npm run ')}`)
  process.exit(2)
}

install()
const pinned = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
const node = existsSync(pinned) ? pinned : process.execPath
if (node === process.execPath && Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`This machine has Node ${process.versions.node} and no pinned one for ${process.platform}-${process.arch}: install Node 24 or later.`)
  process.exit(1)
}
const [file, ...fixed] = program
const child = spawn(node, [join(root, file), ...fixed, ...given], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: 'inherit',
  env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))

function install() {
  const stamp = join(root, 'node_modules/.holdfast-lock')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing what the lockfile names …')
  const result = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' })
  if (result.status !== 0) {
    console.error('The installation failed; nothing was started. Check the network and run the command again.')
    process.exit(result.status ?? 1)
  }
  writeFileSync(stamp, wanted)
}
