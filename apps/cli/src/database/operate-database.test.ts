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
      await insertSampleRows(db, 'alpha')
      const file = join(folder, 'all.backup')
      const written = await runCliIn({ DATABASE_URL: db.url }, 'backup', file)
      assert.equal(written.code, 0, written.err)
      assert.match(written.out, /^Written: [1-9]\d* rows in \d+ tables/)
      assert.equal((await stat(file)).mode & 0o077, 0, 'only its owner may read it')
      const again = await runCliIn({ DATABASE_URL: db.url }, 'backup', file)
      assert.equal(again.code, 1)
      assert.match(again.err, /exists/)
      const restored = await runCliIn({ DATABASE_URL: target.url }, 'restore', file)
      assert.equal(restored.code, 0, restored.err)
      assert.equal(restored.out.replace('Restored', 'Written'), written.out)
      assert.equal((await runCliIn({ DATABASE_URL: target.url }, 'restore', file)).code, 1, 'a database that is not empty is left alone')
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
      const nowhere = { SERVER_DATA: join(folder, 'database') }
      const empty = await runCliIn(nowhere, 'backup', join(folder, 'all'))
      assert.deepEqual([empty.code, /there is no database/.test(empty.err)], [1, true])
      assert.equal((await runCliIn({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, 'restore', join(folder, 'junk'))).code, 1)
      assert.equal((await runCli('backup')).code, 2)
      assert.equal((await runCli('restore', 'a', 'b')).code, 2)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
