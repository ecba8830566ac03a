import { createEmptyDatabase, insertSampleRows, openTestDatabase } from '@holdfast/db/test'
import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { runCli, runCliIn } from '../testing/run-cli.ts'

describe('backup and restore from the command line', () => {
  it('carry a database from one server to another, and say what they did', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'operate-'))
    const db = await openTestDatabase()
    const target = await createEmptyDatabase()
    try {
      for (const name of ['alpha', 'beta']) await insertSampleRows(db, name)
      const file = join(folder, 'all.backup')
      const [server, officer] = [join(folder, 'server-identity'), join(folder, 'officer')]
      await writeFile(server, `${'5a'.repeat(32)}\n`)
      const recipient = /age1\w+/.exec((await runCli('recover', 'new-identity', officer)).out)![0]
      const source = { DATABASE_URL: db.url, SERVER_IDENTITY: server }
      const several = await runCliIn(source, 'backup', file)
      assert.deepEqual([several.code, /has 2 founded organisations: say with --recipient/.test(several.err)], [1, true], several.err)
      const unsigned = await runCliIn({ ...source, SERVER_IDENTITY: join(folder, 'none') }, 'backup', file, '--recipient', recipient)
      assert.deepEqual([unsigned.code, /signed with the server's identity/.test(unsigned.err)], [1, true])
      const written = await runCliIn(source, 'backup', file, '--recipient', recipient)
      assert.equal(written.code, 0, written.err)
      assert.match(written.out, /^Written: [1-9]\d* rows in \d+ tables/)
      const signedBy = /Signed by server ([0-9a-f]{64})/.exec(written.out)![1]!
      assert.equal((await stat(file)).mode & 0o077, 0, 'only its owner may read it')
      const again = await runCliIn(source, 'backup', file, '--recipient', recipient)
      assert.equal(again.code, 1)
      assert.match(again.err, /exists/)
      const into = (...more: string[]) => runCliIn({ DATABASE_URL: target.url, SERVER_IDENTITY: join(folder, 'none') }, 'restore', file, ...more)
      assert.deepEqual([(await into()).code, (await into('--identity', officer)).code], [2, 2], 'neither who opens it nor who signed it may be left out')
      assert.equal((await into('--identity', officer, '--signed-by', '00'.repeat(32))).code, 1, 'a backup of another server is refused')
      const restored = await into('--identity', officer, '--signed-by', signedBy)
      assert.equal(restored.code, 0, restored.err)
      assert.ok(written.out.startsWith(restored.out.replace('Restored', 'Written')))
      assert.equal((await into('--identity', officer, '--signed-by', signedBy)).code, 1, 'a database that is not empty is left alone')
    } finally {
      await db.close()
      await target.drop()
      await rm(folder, { recursive: true })
    }
  })

  it('refuse what is no backup, no database or no command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'operate-'))
    try {
      await writeFile(join(folder, 'junk'), 'junk')
      await writeFile(join(folder, 'identity'), '5a'.repeat(32))
      const nowhere = { SERVER_DATA: join(folder, 'database'), SERVER_IDENTITY: join(folder, 'identity') }
      await runCli('recover', 'new-identity', join(folder, 'officer'))
      const empty = await runCliIn(nowhere, 'backup', join(folder, 'all'))
      assert.deepEqual([empty.code, /there is no database/.test(empty.err)], [1, true])
      const elsewhere = { ...nowhere, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
      assert.equal((await runCliIn(elsewhere, 'restore', join(folder, 'junk'), '--identity', join(folder, 'officer'))).code, 1)
      assert.equal((await runCli('backup')).code, 2)
      assert.equal((await runCli('restore', 'a', 'b')).code, 2)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
