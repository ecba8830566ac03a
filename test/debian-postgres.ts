import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BINARIES = '/usr/lib/postgresql/15/bin'

/** A throw-away PostgreSQL 15 of Debian's package, or undefined where the package is not installed. */
export function debianPostgres(): { url: string; stop(): void } | undefined {
  if (!existsSync(`${BINARIES}/postgres`)) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'hf15-'))
  const data = join(folder, 'data')
  // PostgreSQL refuses to run as root; in a user namespace it sees another user and files stay ours.
  const asUser = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'] : []
  const call = (binary: string, ...args: string[]) => {
    const [command, ...rest] = [...asUser, `${BINARIES}/${binary}`, ...args]
    const result = spawnSync(command!, rest, { encoding: 'utf8' })
    if (result.status !== 0) throw new Error(`${binary}: ${result.stderr || result.stdout}`)
  }
  call('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C')
  const options = `-c listen_addresses='' -c unix_socket_directories=${folder} -c fsync=off -c full_page_writes=off -c max_connections=200`
  call('pg_ctl', '-D', data, '-o', options, '-l', join(folder, 'log'), '-w', 'start')
  return {
    url: `postgresql://postgres@/postgres?host=${encodeURIComponent(folder)}`,
    stop: () => {
      call('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
